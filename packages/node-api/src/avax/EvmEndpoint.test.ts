import { Connections } from '@firn/http'
import { Blocks } from '@firn/store'
import { EvmBlock } from '@firn/txs'
import { afterAll, describe, expect, test } from 'vitest'
import * as CallerLimits from '../CallerLimits.ts'
import type { NodeContext } from '../Context.ts'
import * as HttpRules from '../HttpRules.ts'
import { createListener } from '../Listener.ts'
import { createRoutes } from '../Routes.ts'
import { recordedContext } from '../testing/chainReplay.ts'
import { freePort, post } from '../testing/http.ts'
import * as EvmEndpoint from './EvmEndpoint.ts'

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})

/** Serves the endpoint, and returns a function that sends it a body. */
async function serve(context: NodeContext) {
  const routes = createRoutes()
  routes.add('bc/C', '/rpc', EvmEndpoint.create(context))
  const [readTimeoutMs, readHeaderTimeoutMs, writeTimeoutMs, idleTimeoutMs] = [9_000, 9_000, 9_000, 9_000]
  const listener = createListener({
    routes,
    rules: HttpRules.create({ nodeId: 'NodeID-me' }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    limits: CallerLimits.NONE,
    ...{ readTimeoutMs, readHeaderTimeoutMs, writeTimeoutMs, idleTimeoutMs },
  })
  closers.unshift(() => listener.close(0))
  const url = await listener.listen(await freePort())
  return async (body: string) => JSON.parse((await post(url, '/ext/bc/C/rpc', body)).body)
}

const call = (method: string, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params: [] })

describe('the EVM endpoint of a node without an upstream', () => {
  test.each(['local', 'helicon'] as const)('returns the base fee of the last block of %s', async (name) => {
    const context = await recordedContext(name)
    const ask = await serve(context)
    const at = await context.snapshot()
    const block = await Blocks.byHeight(context.store, at, 'C', at.C.height)
    const { baseFeePerGas = 0n } = EvmBlock.decode(block?.bytes ?? new Uint8Array()).header
    expect(baseFeePerGas).toBeGreaterThan(0n)
    const result = `0x${baseFeePerGas.toString(16)}`
    expect(await ask(JSON.stringify(call('eth_baseFee')))).toEqual({ jsonrpc: '2.0', id: 1, result })
  })

  test('returns the initial base fee before the first block', async () => {
    const ask = await serve(await recordedContext('local', { heights: { C: 0n } }))
    expect(await ask(JSON.stringify(call('eth_baseFee')))).toMatchObject({ result: '0x34630b8a00' })
  })

  test('answers batches, and says where to ask for the state', async () => {
    const ask = await serve(await recordedContext('local'))
    const calls = ['eth_blockNumber', 'eth_getTransactionCount', 'eth_getBalance', 'eth_call'].map(call)
    expect(await ask(JSON.stringify(calls))).toEqual([
      { jsonrpc: '2.0', id: 0, result: '0x53' },
      ...[1, 2].map((id) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: expect.stringMatching(/--nonce, or --c-chain-rpc, or .*--upstream/) },
      })),
      {
        jsonrpc: '2.0',
        id: 3,
        error: { code: -32601, message: expect.stringMatching(/^eth_call is not available: .*--upstream/) },
      },
    ])
  })

  test('says what is missing if the C-chain is not followed', async () => {
    const ask = await serve({ ...(await recordedContext('local')), followsCChain: false })
    const message = expect.stringMatching(/--base-fee, or --c-chain-rpc/)
    expect(await ask(JSON.stringify(call('eth_baseFee')))).toMatchObject({ error: { code: -32000, message } })
  })

  test.each([
    ['an empty body', ''],
    ['a number', '1'],
    ['an empty batch', '[]'],
    ['a method that is no text', '{"method":1}'],
    ['a batch of 101 calls', `[${Array(101).fill('{}').join()}]`],
  ])('rejects %s', async (_name, body) => {
    const ask = await serve(await recordedContext('local'))
    expect(await ask(body)).toMatchObject({ id: null, error: { code: -32600 } })
  })
})
