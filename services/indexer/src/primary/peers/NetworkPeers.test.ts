import { expect, it } from 'vitest'
import * as NetworkPeers from './NetworkPeers.ts'

const ID = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const NONE = { bootstrapIds: [], bootstrapIps: [] }
const OWN = { bootstrapIds: [ID], bootstrapIps: ['127.0.0.1:9651'] }

it.each([
  ['mainnet', 1, 24],
  ['fuji', 5, 21],
])('knows the beacons and checkpoints of %s', async (_name, networkId, count) => {
  expect(NetworkPeers.hasBeacons(networkId)).toBe(true)
  const { beacons, checkpoints, chains } = await NetworkPeers.load(networkId, NONE)
  expect(beacons).toHaveLength(count)
  expect(checkpoints?.P).toHaveLength(99)
  expect(chains).toEqual(['P', 'X'])
})

it('replaces the beacons, but not the checkpoints, by those that are given', async () => {
  const { beacons, checkpoints } = await NetworkPeers.load(5, OWN)
  expect(beacons).toMatchObject([{ endpoint: { host: '127.0.0.1', port: 9651 } }])
  expect(checkpoints?.X).toHaveLength(99)
})

it('knows nothing about custom networks', async () => {
  expect([NetworkPeers.hasBeacons(12_345), NetworkPeers.hasBeacons(undefined)]).toEqual([false, false])
  expect(await NetworkPeers.load(12_345, OWN)).toEqual({ beacons: [expect.anything()] })
  expect(await NetworkPeers.load(12_345, NONE)).toEqual({ beacons: [] })
})

it('rejects lists of beacons that do not match', () => {
  const code = expect.objectContaining({ code: 'INDEXER_CONFIGURATION' })
  expect(() => NetworkPeers.parseBeacons([ID], [])).toThrow(code)
  expect(() => NetworkPeers.parseBeacons(['NodeID-1'], ['127.0.0.1:9651'])).toThrow(code)
  expect(() => NetworkPeers.parseBeacons([ID], ['localhost'])).toThrow(code)
})
