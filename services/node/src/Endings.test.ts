import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeErrorCode } from '@firn/node-api'
import { expect, it } from 'vitest'

/** What an error ends that reaches the top of the service, why, and the only files of the service that name it. */
interface Ending {
  readonly ends: 'start' | 'request'
  readonly why: string
  readonly files: readonly string[]
}

const start = (why: string, ...files: readonly string[]): Ending => ({ ends: 'start', why, files })
const request = (why: string, ...files: readonly string[]): Ending => ({ ends: 'request', why, files })

/** What each error ends. None ends a service that listens. A code that is missing does not compile. */
const ENDINGS: Readonly<Record<NodeErrorCode, Ending>> = {
  NODE_CONFIGURATION: start(
    'options contradict each other, or a file of the identity or the state is invalid or cannot be written',
    'Configuration.ts',
    'Main.ts',
    'Node.ts',
    'NodeServer.ts',
    'Parts.ts',
    'containers/IndexStateFile.ts',
    'identity/ConfiguredIdentity.ts',
    'identity/OwnIdentity.ts',
    'internal/createOnce.ts',
    'peers/ConfiguredPeers.ts',
  ),
  NODE_DATABASE: start('the database is empty or holds another network', 'Database.ts', 'Node.ts'),
  NODE_INDEX: start(
    'the index would become incomplete; the process ends with status 0, as the node does',
    'Main.ts',
    'containers/IndexKeeper.ts',
  ),
  NODE_UPSTREAM: request('it is the answer to one request'),
  NODE_UNHEALTHY: request('it is the result of one check, which the Health API returns', 'Checks.ts'),
}

it('creates every error only where the table says', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.test)\.ts$/.test(file) && !file.includes('testing'),
  )
  for (const [code, ending] of Object.entries(ENDINGS)) {
    const isNamedIn = (file: string) => {
      const text = readFileSync(join(import.meta.dirname, file), 'utf8')
      const isWrong = /import \{[^}]*\bwrong\b[^}]*\} from '\.{1,2}\/Configuration\.ts'/.test(text)
      return text.includes(`'${code}'`) || (code === 'NODE_CONFIGURATION' && isWrong)
    }
    expect(files.filter(isNamedIn).sort(), code).toEqual(ending.files)
  }
})
