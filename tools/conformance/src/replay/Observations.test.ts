import { NodeId } from '@firn/codec'
import { expect, it } from 'vitest'
import type { RawCase } from '../Case.ts'
import { readSamples } from '../testing/samples.ts'
import * as Exchange from './Exchange.ts'
import * as Observations from './Observations.ts'

const recorded = (readSamples<readonly RawCase[]>('replay')['local'] ?? []).map(Exchange.fromLine)
const NODE = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5'

it('lists the recorded peers and omits the subnets that every node tracks', () => {
  const { peers } = Observations.of(recorded, NODE)
  const body = recorded.find(({ method }) => method === 'info.peers')?.answer.body ?? ''
  expect(peers.map(({ nodeId }) => NodeId.format(nodeId))).toEqual(body.match(/NodeID-\w+/g))
  const [subnets, primary] = [
    body.match(/"trackedSubnets":\[[^\]]*\]/g) ?? [],
    '11111111111111111111111111111111LpoYY',
  ]
  const listed = subnets.map((text) => text.split('",').length)
  expect(subnets.every((text) => text.includes(primary))).toBe(true)
  expect(peers.map(({ trackedSubnets }) => trackedSubnets.length + 1)).toEqual(listed)
  expect(new Date(peers[0]?.lastSent ?? 0).toISOString().slice(0, 19)).toBe(
    body.match(/"lastSent":"(.{19})/)?.[1],
  )
})

it('returns the uptimes and connections of validators as the recorded node measured them', () => {
  const { validators } = Observations.of(recorded, NODE)
  expect(validators.get('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')).toEqual({ uptime: 1, isConnected: true })
  const away = recorded.map((it) => {
    const body = it.answer.body.replace(
      '"uptime":"100.0000","connected":true',
      '"uptime":"2.2161","connected":false',
    )
    return { ...it, answer: { ...it.answer, body } }
  })
  const measured = Observations.of(away, NODE).validators.get('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
  expect(measured).toEqual({ uptime: 0.022161, isConnected: false })
})

it("uses the given NodeID if the recording does not contain the node's own NodeID", () => {
  const { identity, ip, peers } = Observations.of([], NODE)
  expect([NodeId.format(identity.nodeId), ip, peers]).toEqual([NODE, '', []])
  expect([identity.publicKey.length, identity.proofOfPossession.length]).toEqual([48, 96])
})

it('uses the NodeID that the node reported', () => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    result: {
      nodeID: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
      nodePOP: { publicKey: `0x${'ab'.repeat(48)}`, proofOfPossession: `0x${'cd'.repeat(96)}` },
    },
    id: 1,
  })
  const first = recorded[0] as Exchange.Exchange
  const exchange = { ...first, method: 'info.getNodeID', answer: { ...first.answer, body } }
  const { identity } = Observations.of([exchange], NODE)
  expect(NodeId.format(identity.nodeId)).toBe('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
  expect([identity.publicKey[47], identity.proofOfPossession[95]]).toEqual([0xab, 0xcd])
})
