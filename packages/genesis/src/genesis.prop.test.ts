import { isFirnError, Json } from '@firn/codec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as EvmGenesis from './evm/EvmGenesis.ts'
import * as GenesisData from './evm/GenesisData.ts'
import * as SubnetEvmGenesis from './evm/SubnetEvmGenesis.ts'
import * as Genesis from './Genesis.ts'
import * as GenesisConfig from './GenesisConfig.ts'
import * as PlatformGenesis from './PlatformGenesis.ts'
import * as Rewards from './Rewards.ts'
import { cases, type VectorCase } from './testing/vectors.ts'
import * as Upgrades from './Upgrades.ts'
import * as XChainGenesis from './XChainGenesis.ts'

/** Returns whether `work` throws a typed error. Rethrows all other errors. */
function isRefused(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch (error) {
    if (isFirnError(error)) return true
    throw error
  }
}

const address = fc.uint8Array({ minLength: 20, maxLength: 20 })
const amount = fc.bigInt({ min: 1n, max: 2n ** 40n })
const START = 1_600_000_000n

const allocation = fc.record({
  ethAddr: address,
  avaxAddr: address,
  initialAmount: amount,
  unlockSchedule: fc.array(fc.record({ amount, locktime: fc.bigInt({ min: START - 5n, max: START + 5n }) }), {
    minLength: 1,
    maxLength: 4,
  }),
})

const staker = fc.record(
  {
    nodeId: address,
    rewardAddress: address,
    delegationFee: fc.integer({ min: 0, max: 1_000_000 }),
    signer: fc.record({
      publicKey: fc.uint8Array({ minLength: 48, maxLength: 48 }),
      proofOfPossession: fc.uint8Array({ minLength: 96, maxLength: 96 }),
    }),
  },
  { requiredKeys: ['nodeId', 'rewardAddress', 'delegationFee'], noNullPrototype: true },
)

const config: fc.Arbitrary<GenesisConfig.GenesisConfig> = fc
  .record({
    networkId: fc.integer({ min: 13, max: 9999 }),
    allocations: fc.array(allocation, { minLength: 1, maxLength: 6 }),
    startTime: fc.constant(START),
    initialStakeDuration: fc.bigInt({ min: 100n, max: 10_000n }),
    initialStakeDurationOffset: fc.bigInt({ min: 0n, max: 10n }),
    initialStakers: fc.array(staker, { minLength: 1, maxLength: 7 }),
    cChainGenesis: fc.string({ minLength: 1 }),
    message: fc.string({ unit: 'binary' }),
    staked: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ staked, ...rest }) => ({
    ...rest,
    initialStakedFunds: rest.allocations.slice(0, staked).map(({ avaxAddr }) => avaxAddr),
  }))
  .map((value) => structuredClone(value))

describe('a configuration', () => {
  it('returns the same configuration after a round trip through JSON', () => {
    fc.assert(
      fc.property(config, (value) => {
        expect(GenesisConfig.parse(Json.stringify(GenesisConfig.toJSON(value)))).toEqual(value)
      }),
    )
  })

  it('decodes an encoded genesis to the same genesis, with amounts that add up to the supply', () => {
    fc.assert(
      fc.property(config, (value) => {
        const isBuilt = !isRefused(() => Genesis.build(value))
        // The only possible error of the generated configurations is a staker with less than one nAVAX.
        const staked = new Set(value.initialStakedFunds.map(String))
        const funds = value.allocations.filter(({ avaxAddr }) => staked.has(String(avaxAddr)))
        const total = funds
          .flatMap(({ unlockSchedule }) => unlockSchedule)
          .reduce((sum, { amount: part }) => sum + part, 0n)
        expect(isBuilt).toBe(total >= BigInt(value.initialStakers.length))
        if (!isBuilt) return
        const built = Genesis.build(value)
        expect(Genesis.decode(built.bytes)).toEqual(built)
        const { utxos, validators, initialSupply } = built.platform
        const outputs = XChainGenesis.decode(built.xChain.genesisData).txs.flatMap(({ initialStates }) =>
          initialStates.flatMap((state) => state.outputs),
        )
        const parts = [
          ...outputs.map((output) => ('amount' in output ? output.amount : 0n)),
          ...utxos.map(({ output }) => (output.type === 'LockOut' ? output.output.amount : output.amount)),
          ...validators.map(({ unsignedTx }) =>
            'validator' in unsignedTx ? unsignedTx.validator.weight : 0n,
          ),
        ]
        const dropped = validators.length < value.initialStakers.length
        if (!dropped) expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(initialSupply)
      }),
    )
  })

  const [local] = cases('genesis', 'network').filter(({ name }) => name === 'local') as [VectorCase]

  it('loads any modified JSON text as a genesis, or throws a typed error', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 20 }), fc.string({ maxLength: 3 }), (at, length, put) => {
        const text: string = local['config']
        const start = at % text.length
        const changed = text.slice(0, start) + put + text.slice(start + length)
        isRefused(() => Genesis.load(changed.replace('12345', '77'), { networkId: 77, now: 2n ** 40n }))
      }),
      { numRuns: 500 },
    )
  })
})

describe.each([
  ['platform', PlatformGenesis.codec],
  ['x-chain', XChainGenesis.codec],
] as const)('%s genesis', (_name, codec) => {
  const values = codec.arbitrary(fc) as fc.Arbitrary<never>

  it('encodes a decoded genesis to the same bytes', () => {
    fc.assert(
      fc.property(values, (value) => {
        const bytes = codec.encode(value)
        expect(codec.size(value)).toBe(bytes.length)
        expect(codec.encode(codec.decode(bytes) as never)).toEqual(bytes)
      }),
    )
  })

  it('throws a typed error for truncated bytes, and either decodes modified bytes or throws a typed error', () => {
    fc.assert(
      fc.property(values, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
        const bytes = codec.encode(value)
        expect(isRefused(() => codec.decode(bytes.subarray(0, at % bytes.length)))).toBe(true)
        const changed = bytes.slice()
        changed[at % bytes.length] = (changed[at % bytes.length] as number) ^ change
        isRefused(() => expect(codec.encode(codec.decode(changed) as never)).toEqual(changed))
      }),
      { numRuns: 300 },
    )
  })
})

describe('an EVM genesis', () => {
  const items = cases('subnet-evm-genesis', 'subnetEvmGenesis')

  it('builds block 0 from any modified JSON text, or throws a typed error', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.nat({ max: 8 }),
        fc.string({ maxLength: 3 }),
        (which, at, length, put) => {
          const text: string = (items[which % items.length] as VectorCase)['genesis']
          const start = at % text.length
          const changed = text.slice(0, start) + put + text.slice(start + length)
          isRefused(() => SubnetEvmGenesis.firstBlock(SubnetEvmGenesis.parse(changed, Upgrades.DEFAULT)))
          GenesisData.of(new TextEncoder().encode(changed))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('parses any bytes or JSON as an EVM genesis, or throws a typed error', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void isRefused(() => EvmGenesis.parse(bytes))))
    fc.assert(
      fc.property(fc.json(), (text) => {
        isRefused(() => SubnetEvmGenesis.parse(text, Upgrades.DEFAULT))
        isRefused(() => GenesisConfig.parse(text))
        Json.stringify(GenesisData.of(new TextEncoder().encode(text)))
      }),
    )
  })

  it('computes the same state root for any order of accounts', () => {
    const accounts = fc.dictionary(
      fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }).map((n) => n.toString(16).padStart(40, '0')),
      fc.nat(),
      { maxKeys: 20 },
    )
    fc.assert(
      fc.property(accounts, (balances) => {
        const [one, other] = [Object.entries(balances), Object.entries(balances).reverse()].map((entries) => {
          const alloc = Object.fromEntries(entries.map(([name, balance]) => [`0x${name}`, { balance }]))
          const text = JSON.stringify({ config: { chainId: 1 }, gasLimit: 8_000_000, difficulty: 0, alloc })
          return SubnetEvmGenesis.firstBlock(SubnetEvmGenesis.parse(text, Upgrades.DEFAULT)).stateRoot
        })
        expect(one).toEqual(other)
      }),
    )
  })
})

describe('rewards', () => {
  const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

  it('splits rewards into parts that add up to the total', () => {
    fc.assert(
      fc.property(u64, fc.integer({ min: 0, max: 1_000_000 }), (total, shares) => {
        const { fromShares, remainder } = Rewards.split(total, shares)
        expect(fromShares + remainder).toBe(total)
        expect(fromShares >= 0n && remainder >= 0n).toBe(true)
      }),
    )
  })

  it('limits rewards to the remaining supply and never lowers them for a larger or longer stake', () => {
    const config_ = {
      maxConsumptionRate: 120_000n,
      minConsumptionRate: 100_000n,
      mintingPeriod: 365n,
      supplyCap: 2n ** 60n,
    }
    const supply = fc.bigInt({ min: 1n, max: 2n ** 60n })
    fc.assert(
      fc.property(u64, fc.bigInt({ min: 0n, max: 364n }), supply, (stake, duration, currentSupply) => {
        const reward = Rewards.calculate(config_, { amount: stake, duration, currentSupply })
        expect(reward <= config_.supplyCap - currentSupply).toBe(true)
        expect(Rewards.calculate(config_, { amount: stake + 1n, duration, currentSupply }) >= reward).toBe(
          true,
        )
        expect(
          Rewards.calculate(config_, { amount: stake, duration: duration + 1n, currentSupply }) >= reward,
        ).toBe(true)
      }),
    )
  })
})
