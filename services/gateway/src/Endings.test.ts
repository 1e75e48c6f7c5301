import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type GatewayErrorCode, REFUSALS } from './GatewayError.ts'

/** What an error ends that reaches the top of the gateway, why, and the only files that name the error. */
interface Ending {
  /** `command` is the command that counts an access log; no gateway runs in its process. */
  readonly ends: 'start' | 'command' | 'request'
  readonly why: string
  readonly files: readonly string[]
}

const start = (why: string, ...files: readonly string[]): Ending => ({ ends: 'start', why, files })
const command = (why: string, ...files: readonly string[]): Ending => ({ ends: 'command', why, files })
const request = (...files: readonly string[]): Ending => ({
  ends: 'request',
  why: 'it is the answer to one request or message',
  files,
})

/** What each error ends. None ends a gateway that listens. A code that is missing does not compile. */
const ENDINGS: Readonly<Record<GatewayErrorCode, Ending>> = {
  GATEWAY_CONFIGURATION: start('there is no chain to serve, or two have the same name', 'Gateway.ts'),
  GATEWAY_LOG: command('counting on would count wrong', 'usage/AccessLog.ts', 'usage/AccessLogLoad.ts'),
  GATEWAY_PARSE: request('json-rpc/RequestReader.ts', 'json-rpc/json.ts'),
  GATEWAY_REQUEST: request(
    'http/HttpHandler.ts',
    'json-rpc/RequestReader.ts',
    'request/Refused.ts',
    'websocket/SocketPair.ts',
    'websocket/WebSocketHandler.ts',
  ),
  GATEWAY_ROUTE: request('request/Route.ts'),
  GATEWAY_METHOD: request('methods/MethodPolicy.ts'),
  GATEWAY_TOKEN: request('request/Route.ts'),
  GATEWAY_TOO_LARGE: request('json-rpc/RequestReader.ts', 'request/RequestBody.ts'),
  GATEWAY_RATE: request('admission/Admission.ts', 'websocket/SocketPair.ts'),
  GATEWAY_BUSY: request('admission/Admission.ts', 'nodes/Forward.ts'),
  GATEWAY_GONE: request('http/HttpHandler.ts', 'request/RequestBody.ts'),
  GATEWAY_UPSTREAM: request(
    'http/HttpHandler.ts',
    'nodes/Forward.ts',
    'request/Refused.ts',
    'websocket/WebSocketHandler.ts',
  ),
  GATEWAY_TIMEOUT: request('http/HttpHandler.ts', 'nodes/Forward.ts', 'websocket/SocketPair.ts'),
}

const CODES = Object.keys(ENDINGS) as GatewayErrorCode[]

it('creates every error only where the table says', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.test|GatewayError)\.ts$/.test(file) && !file.includes('testing'),
  )
  for (const code of CODES) {
    const isNamedIn = (file: string) =>
      readFileSync(join(import.meta.dirname, file), 'utf8').includes(`'${code}'`)
    expect(files.filter(isNamedIn).sort(), code).toEqual(ENDINGS[code].files)
  }
})

it('answers every error of requests with a status other than 500', () => {
  const unnamed = CODES.filter((code) => REFUSALS[code].http === 500)
  expect(unnamed).toEqual(CODES.filter((code) => ENDINGS[code].ends !== 'request'))
})
