import { Id, NodeId } from '@firn/codec'
import { expect, it } from 'vitest'
import * as Beacons from './Beacons.ts'
import * as Checkpoints from './Checkpoints.ts'

it('returns the published beacons of mainnet and fuji, each with an IPv4 address', async () => {
  const [mainnet, fuji] = [await Beacons.of(1), await Beacons.of(5)]
  expect([mainnet.length, fuji.length]).toEqual([24, 21])
  expect(NodeId.format(mainnet[0]?.nodeId as Uint8Array)).toBe('NodeID-A6onFGyJjA37EZ7kYHANMR1PFRT8NmXrF')
  for (const { endpoint, nodeId } of [...mainnet, ...fuji]) {
    expect(endpoint.host).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    expect(endpoint.port).toBe(9651)
    expect(nodeId).toHaveLength(20)
  }
})

it('returns 99 different checkpoints of each chain of mainnet and fuji', async () => {
  const seen = new Set<string>()
  for (const networkId of [1, 5]) {
    for (const ids of Object.values(await Checkpoints.of(networkId))) {
      expect(ids).toHaveLength(99)
      for (const id of ids) seen.add(Id.format(id))
    }
  }
  expect(seen.size).toBe(2 * 3 * 99)
})

it('returns empty lists for other networks', async () => {
  expect(await Beacons.of(12345)).toEqual([])
  expect(await Checkpoints.of(1337)).toEqual({ P: [], X: [], C: [] })
})

it('rejects modified files', async () => {
  const read = async () => Uint8Array.of(1, 2, 3)
  const code = expect.objectContaining({ code: 'GENESIS_DATA_DAMAGED' })
  await expect(Beacons.of(1, { read })).rejects.toEqual(code)
  await expect(Checkpoints.of(1, { read })).rejects.toEqual(code)
})
