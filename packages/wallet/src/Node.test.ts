import { Address, CheckedHex, Id } from '@firn/codec'
import { PlatformUtxo } from '@firn/txs'
import { expect, test } from 'vitest'
import { createNode } from './index.ts'

const NETWORK_ID = 54_323
const payload = new Uint8Array(20).fill(7)
const mine = Address.format({ chain: 'P', hrp: 'custom', payload })
const utxo = CheckedHex.encode(
  PlatformUtxo.encode({
    ...{ txID: new Uint8Array(32).fill(1), outputIndex: 0, assetID: new Uint8Array(32).fill(2) },
    output: { type: 'TransferOutput', amount: 5n, locktime: 0n, threshold: 1, addresses: [payload] },
  }),
)

test.each([
  ['the same position', ['a', 'a', 'a']],
  ['two positions in turn', ['a', 'b', 'a', 'b']],
])('ends when a node returns full pages with %s', async (_, positions) => {
  const requests: unknown[] = []
  const fetch = async (_url: unknown, init?: { readonly body?: unknown }) => {
    const { id, method, params } = JSON.parse(String(init?.body))
    const at = positions[requests.length] ?? ''
    const page = {
      ...{ numFetched: '1024', utxos: [utxo], encoding: 'hex' },
      endIndex: { address: mine, utxo: Id.format(new Uint8Array(32).fill(at.charCodeAt(0))) },
    }
    if (method === 'platform.getUTXOs') requests.push(params.startIndex?.utxo)
    const result = method === 'platform.getUTXOs' ? page : { networkID: String(NETWORK_ID) }
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), {
      headers: { 'content-type': 'application/json' },
    })
  }
  const node = createNode({ url: 'http://127.0.0.1:1', fetch: fetch as typeof globalThis.fetch })
  expect(await node.utxos('P', [payload], undefined)).toHaveLength(1)
  expect(requests).toHaveLength(positions.indexOf('a', 1) + 1)
})
