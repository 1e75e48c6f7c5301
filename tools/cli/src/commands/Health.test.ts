import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import * as Run from '../Run.ts'

const server = createServer((request, response) => {
  if (request.url === '/silent') return
  const isUp = request.url === '/health'
  response
    .writeHead(isUp ? 200 : 503)
    .end(isUp ? '{"status":"up"}\n' : '{"status":"down","problems":["no disk"]}\n')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => server.close().closeAllConnections())

const health = async (...argv: readonly string[]) => {
  const lines: string[] = []
  const add = (line: string) => lines.push(line)
  const signal = new AbortController().signal
  const code = await Run.run(['health', ...argv], { print: add, note: add, isInteractive: false, signal })
  return { code, text: lines.join('\n') }
}

describe('firn health', () => {
  it('prints the health of a service that is up', async () => {
    expect(await health('--url', `${url}/health`)).toEqual({ code: 0, text: '{"status":"up"}' })
  })

  it('fails with the problems of a service that is down', async () => {
    const { code, text } = await health('--url', `${url}/ext/health`)
    expect(code).toBe(1)
    expect(text).toContain('/ext/health reports: {"status":"down","problems":["no disk"]}')
  })

  it('fails if the service does not respond in time, or nothing listens', async () => {
    expect(await health('--url', `${url}/silent`, '--timeout', '100ms')).toMatchObject({ code: 1 })
    const { code, text } = await health('--url', 'http://127.0.0.1:1/health')
    expect(code).toBe(1)
    expect(text).toContain('does not respond: ')
  })
})
