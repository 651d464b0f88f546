import { curl, type HttpCall, type TestedCall } from './call.ts'
import { node, nodeTest } from './node.ts'
import { php, phpTest } from './php.ts'
import { python, pythonTest } from './python.ts'

/** A language in which calls can be copied. */
interface Snippet {
  name: string
  title: string
  call(call: HttpCall): string
  /** Undefined for a language without tests. */
  test?(title: string, calls: TestedCall[]): string
}

export const SNIPPETS: Snippet[] = [
  { name: 'curl', title: 'curl', call: curl },
  { name: 'node', title: 'Node', call: node, test: nodeTest },
  { name: 'python', title: 'Python', call: python, test: pythonTest },
  { name: 'php', title: 'PHP', call: php, test: phpTest },
]
