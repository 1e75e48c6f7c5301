import { Id, Json } from '@firn/codec'
import { expect, it } from 'vitest'
import * as Networks from './Networks.ts'
import { codeOf } from './testing/code.ts'
import { cases, type VectorCase } from './testing/vectors.ts'
import * as Upgrades from './Upgrades.ts'
import * as Vm from './Vm.ts'

it.each([Networks.MAINNET, Networks.FUJI, Networks.LOCAL])(
  'returns the recorded parameters of $name',
  (constants) => {
    const item = cases('fees', 'config').find(({ name }) => name === constants.name) as VectorCase
    const { staking, reward, dynamicFee, validatorFee, txFee, createAssetTxFee } = constants
    const text = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? String(member) : member)),
      )
    expect(text({ txFee, createAssetTxFee, dynamicFee, validatorFee })).toEqual({
      txFee: item['txFee'],
      createAssetTxFee: item['createAssetTxFee'],
      dynamicFee: item['dynamicFee'],
      validatorFee: item['validatorFee'],
    })
    expect(text(staking)).toEqual({
      uptimeRequirement: item['staking'].uptimeRequirement,
      heliconUptimeRequirement: 0.9,
      minValidatorStake: item['staking'].minValidatorStake,
      maxValidatorStake: item['staking'].maxValidatorStake,
      minDelegatorStake: item['staking'].minDelegatorStake,
      minDelegationFee: item['staking'].minDelegationFee,
      minStakeDuration: item['staking'].minStakeDurationSeconds,
      maxStakeDuration: item['staking'].maxStakeDurationSeconds,
      heliconMinStakeDuration: item['staking'].heliconMinStakeDurationSeconds,
    })
    const { mintingPeriodNanoseconds: mintingPeriod, ...rates } = item['reward']
    expect(text(reward)).toEqual({ ...rates, mintingPeriod })
  },
)

it("contains the upgrade times of each network and prints them in the node's format", () => {
  for (const item of cases('genesis', 'upgrades')) {
    const { upgrades } = Networks.of(item['networkID'])
    Upgrades.assertOrdered(upgrades)
    expect(Upgrades.fromJSON(Upgrades.toJSON(upgrades))).toEqual(upgrades)
    // The node of the vectors is older than the schedules of Helicon.
    const recorded = { ...upgrades, helicon: Upgrades.UNSCHEDULED }
    expect(Json.stringify(Upgrades.toJSON(recorded))).toBe(item['times'].json)
    expect(Upgrades.fromJSON(Json.parse(item['times'].json))).toEqual(recorded)
    for (const name of Upgrades.NAMES) expect(String(recorded[name])).toBe(item['times'][name])
  }
  const [recorded] = cases('recording', 'recording') as [VectorCase]
  expect(Upgrades.fromJSON(Json.parse(recorded['upgrades']))).toEqual(Networks.LOCAL.upgrades)
})

it('schedules Helicon as the releases v1.15.0-fuji and v1.15.0 announced it', () => {
  const timeOf = (networkId: number) =>
    new Date(Number(Networks.of(networkId).upgrades.helicon) * 1000).toISOString()
  expect(timeOf(5)).toBe('2026-07-28T15:00:00.000Z')
  expect(timeOf(1)).toBe('2026-09-22T15:00:00.000Z')
})

it('takes upgrades that a file does not name from the given schedule', () => {
  const file = Json.parse('{"heliconTime":"2027-01-15T08:00:00Z"}')
  expect(Upgrades.fromJSON(file, Upgrades.MAINNET)).toEqual({ ...Upgrades.MAINNET, helicon: 1_800_000_000n })
  expect(Upgrades.fromJSON(file)).toEqual({ ...Upgrades.DEFAULT, helicon: 1_800_000_000n })
})

it.each([
  ['a string instead of an object', '"2020"'],
  ['an invalid time', '{"banffTime":"yesterday"}'],
  ['a number instead of a time', '{"banffTime":5}'],
  ['a negative height', '{"apricotPhase4MinPChainHeight":-1}'],
])('rejects upgrades that contain %s', (_name, text) => {
  expect(codeOf(() => Upgrades.fromJSON(Json.parse(text)))).toBe('GENESIS_UPGRADES')
})

it('rejects upgrade times that are out of order', () => {
  const upgrades = { ...Upgrades.MAINNET, etna: 5n }
  expect(codeOf(() => Upgrades.assertOrdered(upgrades))).toBe('GENESIS_UPGRADES')
  expect(Upgrades.isActive(upgrades, 'etna', 5n)).toBe(true)
  expect(Upgrades.isActive(upgrades, 'etna', 4n)).toBe(false)
})

it('gives custom networks the parameters of the local network without its ids', () => {
  expect(Networks.of(76)).toMatchObject({
    name: 'network-76',
    hrp: 'custom',
    ids: undefined,
    evmChainId: undefined,
  })
  expect(Networks.of(12345)).toBe(Networks.LOCAL)
  expect(Networks.of(1).hrp).toBe('avax')
})

it('returns the id of each named VM and formats it as a name', () => {
  const known: [Uint8Array, string, string][] = [
    [Vm.AVM, 'avm', 'jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq'],
    [Vm.EVM, 'evm', 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6'],
    [Vm.PLATFORM, 'platformvm', 'rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT'],
    [Vm.SUBNET_EVM, 'subnetevm', 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'],
    [Vm.XSVM, 'xsvm', 'v3m4wPxaHpvGr8qfMeyK6PRW3idZrPHmYcMTt7oXdK47yurVH'],
  ]
  for (const [id, name, text] of known) expect([Id.format(id), Vm.formatName(id)]).toEqual([text, name])
  expect(Vm.formatName(Vm.NFT_FX)).toBe('qd2U4HDWUvMrVUeTcCHp6xH3Qpnn1XbU5MDdnBoiifFqvgXwT')
  expect(Networks.apiAliases('X')).toEqual(['X', 'avm', 'bc/X', 'bc/avm'])
})
