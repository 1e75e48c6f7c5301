import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createConfiguration } from '../configuration/Configuration.ts'
import { createNodeApis } from './NodeApis.ts'

/** Starts a fake node API that returns the same response to every call and records the requests. */
async function listen(status: number, result: unknown, message?: string) {
  const seen: { url: string | undefined; key: unknown }[] = []
  const server = createServer((request, response) => {
    seen.push({ url: request.url, key: request.headers['x-key'] })
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' })
      const outcome = message === undefined ? { result } : { error: { code: -32000, message } }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, ...outcome }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { baseUrl: `http://127.0.0.1:${port}`, seen, close: () => server.close() }
}

describe('createNodeApis', () => {
  it('sends the configured query parameters and headers, and calls the next API if one fails', async () => {
    const down = await listen(503, {})
    const up = await listen(200, { height: '7' })
    const pChain = createNodeApis(
      createConfiguration({
        pChainApi: [
          down.baseUrl,
          {
            'base-url': up.baseUrl,
            'query-parameters': { token: 'a b' },
            'http-headers': { 'x-key': 'secret' },
          },
        ],
      }),
    )
    expect(await pChain.height()).toBe(7n)
    expect([down.seen.length, up.seen]).toEqual([1, [{ url: '/ext/bc/P?token=a+b', key: 'secret' }]])
    down.close()
    up.close()
  })

  it('calls the info API if one is configured, otherwise the P-chain API', async () => {
    const api = await listen(200, { networkID: '5' })
    const other = await listen(200, { networkID: '1' })
    expect(await createNodeApis(createConfiguration({ pChainApi: api.baseUrl })).networkId()).toBe(5)
    expect(
      await createNodeApis(
        createConfiguration({ pChainApi: api.baseUrl, infoApi: other.baseUrl }),
      ).networkId(),
    ).toBe(1)
    expect(api.seen[0]?.url).toBe('/ext/info')
    api.close()
    other.close()
  })

  it('calls the next API after a JSON-RPC error, unless the error says that the chain is unknown', async () => {
    const chainId = new Uint8Array(32).fill(1)
    const broken = await listen(200, undefined, 'database closed')
    const good = await listen(200, { subnetID: '11111111111111111111111111111111LpoYY' })
    const ignorant = await listen(200, undefined, 'problem retrieving blockchain "x": not found')
    const subnetOf = (...apis: { readonly baseUrl: string }[]) =>
      createNodeApis(createConfiguration({ pChainApi: apis.map(({ baseUrl }) => baseUrl) })).subnetOf(chainId)
    expect(await subnetOf(broken, good)).toEqual(new Uint8Array(32))
    expect(await subnetOf(ignorant, good)).toBeUndefined()
    expect([broken.seen.length, good.seen.length]).toEqual([1, 1])
    await expect(subnetOf(broken)).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM',
      message: expect.stringContaining('database closed'),
    })
    for (const server of [broken, good, ignorant]) server.close()
  })

  it('compares the responses of all P-chain APIs if several must agree', async () => {
    const set = (weight: string) => ({
      'NodeID-111111111111111111116DBWJs': { publicKey: null, weight },
    })
    const apis = [await listen(200, set('5')), await listen(200, set('6')), await listen(200, set('6'))]
    const pChainApi = apis.map(({ baseUrl }) => baseUrl)
    const ask = (agree: number) =>
      createNodeApis(createConfiguration({ pChainApi, agree })).validatorsAt(new Uint8Array(32), 7n)
    expect(await ask(2)).toMatchObject([{ weight: 6n }])
    await expect(ask(3)).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM_DISAGREE',
      message: expect.stringContaining(`weight 5, no key at ${pChainApi[0]?.slice('http://'.length)}`),
    })
    for (const api of apis) api.close()
  })

  it('names the failed API in the error', async () => {
    const pChain = createNodeApis(createConfiguration({ pChainApi: 'http://127.0.0.1:1' }))
    await expect(pChain.height()).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM',
      message: expect.stringMatching(/ at 127\.0\.0\.1:1 /),
    })
  })
})
