import { NodeRelease } from '@firn/codec'
import { Upgrades } from '@firn/genesis'
import { NodeVersion } from '@firn/node-api'
import { Version } from '@firn/p2p'
import { expect, test } from 'vitest'

test('claims the first release with the newest upgrade, to peers and in the node API', () => {
  const newest = Upgrades.NAMES.at(-1) as Upgrades.Name
  expect(NodeRelease.CLAIMED).toEqual(NodeRelease.of(newest))
  expect(Version.format(Version.CLAIMED)).toBe('avalanchego/1.15.0')
  expect(NodeVersion.NODE).toBe(Version.format(Version.CLAIMED))
  expect(NodeVersion.VMS).toEqual({ avm: NodeVersion.NODE, evm: 'v1.15.0', platform: NodeVersion.NODE })
})

test('requires peers to have the release of the newest upgrade once it is active', () => {
  for (const networkId of [1, 5]) {
    const { upgradeTime, before, after } = Version.compatibility(networkId)
    const { helicon } = networkId === 1 ? Upgrades.MAINNET : Upgrades.FUJI
    expect(upgradeTime).toBe(helicon)
    expect([before, after]).toMatchObject([NodeRelease.of('granite'), NodeRelease.of('helicon')])
  }
})
