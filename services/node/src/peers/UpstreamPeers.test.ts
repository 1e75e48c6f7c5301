import { NodeId } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { recorded } from '../testing/recordings.ts'
import * as UpstreamPeers from './UpstreamPeers.ts'

const NEVER = new AbortController().signal
const NODE = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'

test("returns the addresses of an upstream's peers, except for peers that accept no connections", async () => {
  const exchange = recorded('info').find(({ requestBody }) => requestBody?.includes('info.peers'))
  const { result } = JSON.parse(exchange?.responseBody ?? '') as { readonly result: unknown }
  const asked: unknown[] = []
  const method = async (path: string, name: string, params: unknown) => {
    asked.push([path, name, params])
    return result
  }
  const found = await UpstreamPeers.addresses({ method }, [NodeId.parse(NODE)], NEVER)
  expect(asked).toEqual([['/ext/info', 'info.peers', { nodeIDs: [NODE] }]])
  expect(found.map(({ endpoint }) => endpoint.port)).toEqual([9655, 9653, 9657, 9659, 9661])
  expect(NodeId.format(found[1]?.nodeId as Uint8Array)).toBe(NODE)
})

test('splits a long list of NodeIDs into several calls', async () => {
  const sizes: number[] = []
  const method = async (_path: string, _name: string, params: unknown) => {
    sizes.push((params as { readonly nodeIDs: readonly string[] }).nodeIDs.length)
    return { numPeers: '0', peers: [] }
  }
  await UpstreamPeers.addresses({ method }, Array(2_100).fill(new Uint8Array(20)), NEVER)
  expect(sizes).toEqual([1_000, 1_000, 100])
})

describe('bootstrap nodes', () => {
  test('pairs each bootstrap address with its NodeID', () => {
    expect(UpstreamPeers.bootstrapNodes(['127.0.0.1:9651'], [NODE])).toEqual([
      { nodeId: NodeId.parse(NODE), endpoint: { host: '127.0.0.1', port: 9651 } },
    ])
  })

  test.each<[string, readonly string[], readonly string[]]>([
    ['more addresses than ids', ['127.0.0.1:9651'], []],
    ['an address without a port', ['127.0.0.1'], [NODE]],
    ['an id without its prefix', ['127.0.0.1:9651'], [NODE.slice(7)]],
  ])('rejects %s', (_case, ips, ids) => expect(UpstreamPeers.bootstrapNodes(ips, ids)).toBeUndefined())
})
