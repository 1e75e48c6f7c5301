import { Json } from '@firn/codec'
import { InfoMethods } from '@firn/rpc'
import { expect, test } from 'vitest'
import type { ConnectedPeer } from '../peers/Peers.ts'
import * as Acps from './Acps.ts'
import * as PrimaryNetwork from './PrimaryNetwork.ts'

const node = (byte: number) => new Uint8Array(20).fill(byte)
const WEIGHTS = PrimaryNetwork.weights(
  [1, 2, 3, 4].map((byte) => ({ nodeId: node(byte), weight: BigInt(10 ** byte), startTime: 0n })),
)

function peer(byte: number, supportedACPs: number[], objectedACPs: number[] = []): ConnectedPeer {
  return {
    nodeId: node(byte),
    ip: '',
    publicIP: '',
    version: '',
    upgradeTime: 0,
    lastSent: 0,
    lastReceived: 0,
    observedUptime: 0,
    trackedSubnets: [],
    supportedACPs,
    objectedACPs,
  }
}

test('sums the weight of connected validators by opinion, and lists the validators in order of NodeID', () => {
  const peers = [peer(3, [77, 103]), peer(9, [77]), peer(1, [77], [103]), peer(2, [], [77])]
  expect(Acps.opinions(peers, WEIGHTS)).toEqual(
    new Map([
      [
        '77',
        {
          supportWeight: 1_010n,
          supporters: [node(1), node(3)],
          objectWeight: 100n,
          objectors: [node(2)],
          abstainWeight: 0n,
        },
      ],
      [
        '103',
        {
          supportWeight: 1_000n,
          supporters: [node(3)],
          objectWeight: 10n,
          objectors: [node(1)],
          abstainWeight: 0n,
        },
      ],
    ]),
  )
})

test('counts validators without an opinion as abstaining from the current proposals', () => {
  const found = Acps.opinions([peer(1, [77]), peer(3, [], [77])], WEIGHTS, [77, 9])
  expect([...found].map(([acp, { abstainWeight }]) => [acp, abstainWeight])).toEqual([
    ['77', 10_100n],
    ['9', 11_110n],
  ])
})

test('sorts proposals as text instead of as numbers', () => {
  const acps = Acps.opinions([peer(1, [9, 103, 24])], WEIGHTS)
  const text = Json.stringify(InfoMethods['info.acps'].result.format({ acps }))
  expect([...text.matchAll(/"(\d+)":\{/g)].map(([, acp]) => acp)).toEqual(['103', '24', '9'])
})
