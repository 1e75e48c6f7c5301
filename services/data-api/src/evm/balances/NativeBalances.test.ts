import { Hex } from '@firn/codec'
import type { EvmChain } from '@firn/evm-store'
import type { Observe, RpcError } from '@firn/rpc'
import { expect, test } from 'vitest'
import { createNodePools } from '../../upstream/nodePools.ts'
import { createNativeBalances } from './NativeBalances.ts'

const ADDRESS = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
const CHAIN = { chainId: 7n } as EvmChain
const SIGNAL = new AbortController().signal

/** Creates fake nodes that return the given answers; an undefined answer means that the node is down. */
function nodes(answers: Readonly<Record<string, object | undefined>>) {
  const asked: unknown[] = []
  const get = (async (url: string, { body }: { body: string }) => {
    asked.push([new URL(url).host, JSON.parse(body)])
    const answer = answers[new URL(url).host]
    if (answer === undefined) throw new TypeError('fetch failed')
    return Response.json({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id, ...answer })
  }) as unknown as typeof fetch
  const failures: unknown[] = []
  const observe: Observe = () => ({
    end: (failure) => void failures.push((failure as RpcError | undefined)?.code),
  })
  const urls = Object.keys(answers).map((host) => `http://${host}`)
  const balance = createNativeBalances(
    createNodePools(new Map([[7n, urls]]), { fetch: get, observe }, () => 0),
  )
  return { asked, failures, balance }
}

test('requests the balance at the exact block height', async () => {
  const { asked, balance } = nodes({ one: { result: `0x${'f'.repeat(64)}` } })
  expect(await balance(CHAIN, ADDRESS, 300n, SIGNAL)).toBe(2n ** 256n - 1n)
  const params = ['0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc', '0x12c']
  expect(asked).toEqual([['one', { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params }]])
})

test('queries the next node if a node is down, returns an error, or returns an invalid quantity', async () => {
  const refusal = { error: { message: 'missing trie node' } }
  const answers = { a: undefined, b: refusal, c: { result: 5 }, d: { result: '0x5' } }
  const { failures, balance } = nodes(answers)
  expect(await balance(CHAIN, ADDRESS, 1n, SIGNAL)).toBe(5n)
  expect(failures).toEqual(['RPC_TRANSPORT', 'RPC_REMOTE', undefined, undefined])
})

test("fails with the last node's error if no node returns the balance", async () => {
  const { balance } = nodes({ a: undefined, b: { error: { message: 'missing trie node' } } })
  await expect(balance(CHAIN, ADDRESS, 1n, SIGNAL)).rejects.toMatchObject({
    code: 'DATA_UNAVAILABLE',
    message: 'the native balance is unavailable: the node returned the error: missing trie node',
  })
  const other = { chainId: 8n } as EvmChain
  await expect(balance(other, ADDRESS, 1n, SIGNAL)).rejects.toThrow('no node of this chain is configured')
})

test('queries the next node if a node hangs', async () => {
  const get = (async (url: string, { signal }: { signal: AbortSignal }) => {
    if (new URL(url).host === 'b') return Response.json({ jsonrpc: '2.0', id: 1, result: '0x5' })
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }) as unknown as typeof fetch
  const nodes = new Map([[7n, ['http://a', 'http://b']]])
  const balance = createNativeBalances(createNodePools(nodes, { fetch: get, timeoutMs: 20 }, () => 0))
  expect(await balance(CHAIN, ADDRESS, 1n, SIGNAL)).toBe(5n)
})
