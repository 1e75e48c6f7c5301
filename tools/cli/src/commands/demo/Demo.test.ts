import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it, vi } from 'vitest'
import * as Run from '../../Run.ts'
import * as Products from './Products.ts'

const PORTS = ['--data-port', '0', '--http-port', '0', '--gateway-port', '0', '--aggregator-port', '0']

describe('firn demo', () => {
  it('shows data from every product without using the configured database', async () => {
    vi.stubEnv('FIRN_DATABASE_URL', 'postgres://127.0.0.1:1/none')
    const lines: string[] = []
    const terminal = {
      print: (line: string) => lines.push(line),
      note: (line: string) => lines.push(line),
      isInteractive: false,
      signal: new AbortController().signal,
    }
    const status = await Run.run(['demo', '--once', ...PORTS], terminal)
    vi.unstubAllEnvs()
    expect([status, lines.filter((line) => line.includes('NOTHING'))]).toEqual([0, []])
    for (const product of ['node API', 'Data API', 'Metrics API', 'RPC gateway', 'signature aggregator']) {
      expect(
        lines.some((line) => line.startsWith(product) && line.includes('http')),
        product,
      ).toBe(true)
    }
  })
})

describe('showAll', () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/refused' ? 500 : 200
    response.end(request.url === '/text' ? 'no JSON' : '{"list":[1]}')
  })
  afterAll(() => server.close())

  it('reports that there is no data for an error, non-JSON text, an empty response or an unreachable server', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const describe = ({ list }: { list?: readonly unknown[] }) => list && `${list.length} entries`
    const samples = [`${url}/full`, `${url}/refused`, `${url}/text`, 'http://127.0.0.1:1/away'].map((to) => ({
      ...{ product: 'Data API', url: to, describe },
    }))
    const empty = { product: 'Data API', url: `${url}/full`, describe: () => undefined }
    const shown = await Products.showAll([...samples, empty], 300, new AbortController().signal)
    expect(shown.map(({ found }) => found)).toEqual(['1 entries', undefined, undefined, undefined, undefined])
  })
})
