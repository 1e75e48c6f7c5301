import { Json } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as GenesisConfig from './GenesisConfig.ts'
import * as PlatformBuilder from './PlatformBuilder.ts'
import * as PlatformGenesis from './PlatformGenesis.ts'
import { codeOf } from './testing/code.ts'
import { cases, type VectorCase } from './testing/vectors.ts'

const [local] = cases('genesis', 'network').filter(({ name }) => name === 'local') as [VectorCase]
const config = GenesisConfig.parse(local['config'])

describe('configuration', () => {
  it('returns the same configuration after a round trip through JSON', () => {
    const text = Json.stringify(GenesisConfig.toJSON(config))
    expect(GenesisConfig.parse(text)).toEqual(config)
    expect(text).toBe(JSON.stringify(JSON.parse(local['config']), addLocktimes))
  })

  it('accepts null, member names in any case and lone surrogates, as Go does', () => {
    expect(GenesisConfig.parse('null')).toMatchObject({ networkId: 0, allocations: [], message: '' })
    expect(GenesisConfig.parse('{"NETWORKID":7,"me\\u017f\\u017fage":"x","startTime":null}')).toMatchObject({
      networkId: 7,
      message: 'x',
      startTime: 0n,
    })
    expect(GenesisConfig.parse('{"startTime":18446744073709551615}').startTime).toBe(2n ** 64n - 1n)
    expect(GenesisConfig.parse('{"message":"\\ud800"}').message).toBe('\ufffd')
  })

  it.each([
    ['a number that is too large', '{"networkID":4294967296}'],
    ['a fraction', '{"startTime":1.5}'],
    ['an exponent', '{"startTime":1e3}'],
    ['a negative number', '{"startTime":-1}'],
    ['a string instead of a number', '{"startTime":"1"}'],
    ['an object instead of a list', '{"allocations":{}}'],
    ['a list instead of an object', '{"allocations":[[]]}'],
    ['a number instead of a string', '{"message":1}'],
    ['deep nesting', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['text that is not JSON', ''],
  ])('rejects %s', (_name, text) => {
    expect(codeOf(() => GenesisConfig.parse(text))).toBe('GENESIS_JSON')
  })

  it.each([
    ['a node id', '{"initialStakers":[{"nodeID":"P7oB2"}]}'],
    ['a reward address', '{"initialStakers":[{"rewardAddress":"X-"}]}'],
    [
      'a BLS key',
      '{"initialStakers":[{"rewardAddress":"X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u","signer":{}}]}',
    ],
  ])('rejects a malformed %s in a configuration', (_name, text) => {
    expect(codeOf(() => GenesisConfig.parse(text))).toBe('GENESIS_ADDRESS')
  })

  it.each([
    ['ethAddr', '0x1122', 'expected 20 bytes, got 2 (in allocations[0].ethAddr)'],
    ['avaxAddr', 'X-local1', /\(in allocations\[0\]\.avaxAddr\)$/],
  ])('names the field of a malformed %s only once in the error', (name, text, message) => {
    const allocation = { ...JSON.parse(local['config']).allocations[0], [name]: text }
    const parse = () => GenesisConfig.parse(JSON.stringify({ allocations: [allocation] }))
    expect(parse).toThrow(expect.objectContaining({ code: 'GENESIS_ADDRESS' }))
    expect(parse).toThrow(message)
    expect(parse).not.toThrow(/\(in .*\(in /)
  })

  it('reports a BLS key that is not text as malformed JSON', () => {
    const staker = { ...JSON.parse(local['config']).initialStakers[0], signer: { publicKey: 1 } }
    const parse = () => GenesisConfig.parse(JSON.stringify({ initialStakers: [staker] }))
    expect(codeOf(parse)).toBe('GENESIS_JSON')
  })

  it('checks the BLS keys of stakers with the given checkSigner function', () => {
    const seen: number[] = []
    const checkSigner = ({ publicKey }: { readonly publicKey: Uint8Array }) => seen.push(publicKey.length) < 3
    expect(codeOf(() => GenesisConfig.parse(local['config'], { checkSigner }))).toBe('GENESIS_SIGNER')
    expect(seen).toEqual([48, 48, 48])
  })

  it('advances the start time of the local network in periods of 270 days', () => {
    const [recorded] = cases('recording', 'recording') as [VectorCase]
    const start = GenesisConfig.parse(recorded['config']).startTime
    expect(GenesisConfig.advanceStartTime(config, start).startTime).toBe(start)
    expect(GenesisConfig.advanceStartTime(config, start - 1n).startTime).toBe(start - 23_328_000n)
    expect(GenesisConfig.advanceStartTime(config, 0n)).toBe(config)
  })
})

describe('building', () => {
  it.each([
    ['no stakers', { initialStakers: [] }, 'GENESIS_STAKERS'],
    ['nothing staked', { initialStakedFunds: [] }, 'GENESIS_VALIDATOR'],
    ['a stake duration of 0', { initialStakeDuration: 0n }, 'GENESIS_VALIDATOR'],
    ['a message that is too long', { message: 'x'.repeat(65_536) }, 'CODEC_LENGTH'],
    [
      'a supply that is too large',
      {
        allocations: [
          ...config.allocations,
          { ...(config.allocations[0] as GenesisConfig.Allocation), initialAmount: 2n ** 64n - 1n },
        ],
      },
      'GENESIS_SUPPLY',
    ],
  ])('rejects %s', (_name, change, code) => {
    const changed = { ...config, ...change }
    expect(codeOf(() => PlatformGenesis.encode(PlatformBuilder.build(changed)))).toBe(code)
  })

  it('keeps only one of two stakers whose transactions are identical', () => {
    const [staker] = config.initialStakers as [GenesisConfig.Staker]
    const twice = { ...config, initialStakeDurationOffset: 0n, initialStakers: [staker, staker] }
    expect(PlatformBuilder.build(twice).validators).toHaveLength(1)
  })

  it("adds a zero-amount stake output when a staker's share ends exactly at an unlock amount", () => {
    const [first] = config.allocations as [GenesisConfig.Allocation]
    const allocation = {
      ...first,
      initialAmount: 1n,
      unlockSchedule: [10n, 10n].map((amount) => ({ amount, locktime: 0n })),
    }
    const stakers = config.initialStakers.slice(0, 2)
    const built = PlatformBuilder.build({
      ...config,
      allocations: [allocation],
      initialStakers: stakers,
      initialStakedFunds: [first.avaxAddr],
    })
    const stakes = built.validators.map(({ unsignedTx }) =>
      'stake' in unsignedTx ? unsignedTx.stake.length : 0,
    )
    expect(stakes.sort()).toEqual([1, 2])
  })
})

/** Adds the locktime members that Go prints even if the file contains none. */
function addLocktimes(name: string, value: unknown): unknown {
  if (name !== 'unlockSchedule') return value
  return (value as { amount: number; locktime?: number }[]).map(({ amount, locktime = 0 }) => ({
    amount,
    locktime,
  }))
}
