interface Changes {
  /** What has changed, as in the changelog, without the heading. */
  text: string
  /** What a maintainer must do with the changelog before the release; undefined: nothing. */
  todo: string | undefined
}

/** What is new in a version: its section of the changelog, or what has not been released yet. */
export function changesOf(changelog: string, version: string): Changes {
  const sections = changelog.split(/^## /m).slice(1)
  const sectionOf = (name: string) =>
    sections.find((one) => one.startsWith(`${name}\n`) || one.startsWith(`${name} - `))
  const bodyOf = (section: string | undefined) => section?.slice(section.indexOf('\n')).trim() ?? ''
  const [own, unreleased] = [sectionOf(version), bodyOf(sectionOf('Unreleased'))]
  if (own && unreleased === '') return { text: bodyOf(own), todo: undefined }
  const todo = own
    ? `raise the version in package.json and package-lock.json: CHANGELOG.md has ${version} already, and changes after it`
    : `name the section "Unreleased" of CHANGELOG.md "${version} - DATE"`
  return { text: unreleased, todo }
}
