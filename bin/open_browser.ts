import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Programs that open an address in the default browser. No shell reads the address. */
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
const OTHER_OPENER = ['xdg-open']

/** Opens an http address in the default browser; false if no program for it could be started. */
export async function openBrowser(url: string, { platform, env } = process): Promise<boolean> {
  const opener = OPENERS[platform]
  // Without a display xdg-open would start a browser for terminals, or wait.
  if (!opener && env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined) return false
  const [program, ...args] = opener ?? OTHER_OPENER
  try {
    const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true })
    await once(child, 'spawn')
    // The browser may run for longer than this program.
    child.unref()
    return true
  } catch {
    return false
  }
}
