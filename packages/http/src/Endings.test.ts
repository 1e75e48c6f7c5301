import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { HttpErrorCode } from './HttpError.ts'

/** What an error ends that reaches the top of a program, why, and the only files that name the error. */
interface Ending {
  /** `command`: one command of an operator, and no service. */
  readonly ends: 'start' | 'request' | 'command'
  readonly why: string
  readonly files: readonly string[]
}

const ending = (ends: Ending['ends'], why: string, ...files: readonly string[]): Ending => ({
  ends,
  why,
  files,
})

/** What each error ends. None ends a service that listens. A code that is missing does not compile. */
const ENDINGS: Readonly<Record<HttpErrorCode, Ending>> = {
  HTTP_CONFIGURATION: ending('start', 'an option is invalid', 'IpNetworks.ts', 'TrustedProxies.ts'),
  HTTP_PORT: ending('start', 'nobody could reach the service', 'BoundPort.ts'),
  HTTP_SOCKET: ending('start', 'operators could not reach the service as asked', 'OperatorSocket.ts'),
  HTTP_SCHEMA: ending('start', 'the description of the API would be wrong', 'OpenApiComponents.ts'),
  HTTP_FORWARDED: ending('request', 'the caller of this request is unknown', 'ClientAddress.ts'),
  HTTP_KEY: ending('command', 'the key cannot be identified', 'ApiKey.ts', 'operate/Operators.ts'),
  HTTP_TOKEN: ending(
    'command',
    'the command has no access; a service logs it and goes on without the token',
    'operate/LocalToken.ts',
  ),
}

/** Sources that create errors of this package, with the prefix of their paths in {@link ENDINGS}. */
const FOLDERS = { '': import.meta.dirname, 'operate/': join(import.meta.dirname, '../../operate/src') }

it('creates every error only where the table says', () => {
  const texts = Object.entries(FOLDERS).flatMap(([prefix, folder]) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test|HttpError)\.ts$/.test(file) && !file.includes('testing'))
      .map((file) => [prefix + file, readFileSync(join(folder, file), 'utf8')] as const),
  )
  for (const [code, { files: expected }] of Object.entries(ENDINGS)) {
    const files = texts.filter(([, text]) => text.includes(`'${code}'`)).map(([file]) => file)
    expect(files.sort(), code).toEqual(expected)
  }
})
