import { Hex } from '@firn/codec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases, type VectorCase } from '../testing/vectors.ts'
import * as Complexity from './Complexity.ts'
import * as Gas from './Gas.ts'
import * as PlatformTx from './PlatformTx.ts'
import * as ValidatorFee from './ValidatorFee.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON test vectors are used without validation
const numbers = (texts: Readonly<Record<string, string>>): any =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, BigInt(text)]))
const unsignedTx = (vector: VectorCase) => PlatformTx.decode(Hex.decode(vector['bytes'])).unsignedTx
const coded = (code: string) => expect.objectContaining({ code })

describe('Complexity, against the reference', () => {
  it.each([...cases('platform-txs', 'valid'), ...cases('fees', 'txFee')])(
    "returns the reference's complexity: $name $id",
    (vector) => {
      const tx = unsignedTx(vector)
      if (vector['complexity'].error !== undefined) return expect(() => Complexity.of(tx)).toThrow()
      expect(Complexity.of(tx)).toEqual(numbers(vector['complexity']))
    },
  )

  it.each(cases('fees', 'txFee').filter((vector) => vector['weights'] !== undefined))(
    "returns the reference's gas and fee: $name",
    (vector) => {
      const tx = unsignedTx(vector)
      const weights = numbers(vector['weights'])
      expect(String(Gas.of(Complexity.of(tx), weights))).toBe(vector['gas'])
      expect(String(Gas.of(Complexity.of(tx), numbers(vector['weights2'])))).toBe(vector['gas2'])
      for (const { price, ok, fee } of vector['fees']) {
        if (ok) expect(String(Complexity.fee(tx, weights, BigInt(price)))).toBe(fee)
        else expect(() => Complexity.fee(tx, weights, BigInt(price))).toThrow(coded('TXS_OVERFLOW'))
      }
    },
  )

  it('refuses to compute the complexity of an authorization whose type is not Input', () => {
    const [vector] = cases('fees', 'txFee').filter(({ txType }) => txType === 'RemoveSubnetValidatorTx')
    const tx = { ...unsignedTx(vector as VectorCase), subnetAuthorization: { type: 'Empty' } }
    expect(() => Complexity.of(tx as never)).toThrow(coded('TXS_UNSUPPORTED'))
  })
})

describe('Gas, against the reference', () => {
  it.each(cases('fees', 'gasPrice'))(
    'returns a price of $price at excess $excess',
    ({ price, ...vector }) => {
      const { minPrice, excess, excessConversionConstant } = vector as never
      expect(String(Gas.price(numbers({ minPrice, excess, excessConversionConstant })))).toBe(price)
    },
  )

  it.each(cases('fees', 'gasState'))(
    "returns the reference's gas state after $seconds seconds, starting at capacity $capacity and excess $excess",
    (vector) => {
      const { capacity, excess, maxCapacity, maxPerSecond, targetPerSecond } = vector as never
      const before = numbers({ capacity, excess })
      const config = numbers({ maxCapacity, maxPerSecond, targetPerSecond })
      expect(Gas.advanceTime(before, config, BigInt(vector['seconds']))).toEqual(numbers(vector['afterTime']))
      const consume = () => Gas.consume(before, BigInt(vector['consume']))
      if (vector['afterConsume'].error !== undefined) expect(consume).toThrow(coded('TXS_CAPACITY'))
      else expect(consume()).toEqual(numbers(vector['afterConsume']))
    },
  )
})

describe('ValidatorFee, against the reference', () => {
  // Only every fourth vector runs here, because vectors with hundreds of thousands of seconds are slow. The
  // conformance suite runs all vectors.
  it.each(cases('fees', 'validatorFee').filter((_, i) => i % 4 === 0))(
    "returns the reference's validator fee: $name, $current validators, excess $excess",
    (vector) => {
      const config: ValidatorFee.Config = numbers(vector['config'])
      const state = { current: BigInt(vector['current']), excess: BigInt(vector['excess']) }
      const [seconds, maxSeconds, funds] = [vector['seconds'], vector['maxSeconds'], vector['funds']].map(
        BigInt,
      ) as [bigint, bigint, bigint]
      expect(String(ValidatorFee.price(state.excess, config))).toBe(vector['price'])
      expect(String(ValidatorFee.advanceTime(state, config.target, seconds).excess)).toBe(
        vector['excessAfter'],
      )
      expect(String(ValidatorFee.secondsRemaining(state, config, maxSeconds, funds))).toBe(
        vector['secondsRemaining'],
      )
      expect(String(ValidatorFee.costOf(state, config, seconds))).toBe(vector['costOfSeconds'])
    },
  )

  it('returns a validator fee equal to the sum of the per-second prices', () => {
    const config = { capacity: 20n, target: 10n, minPrice: 3n, excessConversionConstant: 40n }
    const amount = fc.bigInt({ min: 0n, max: 200n })
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 20n }),
        amount,
        amount,
        fc.bigInt({ min: 0n, max: 5000n }),
        (current, excess, seconds, funds) => {
          let [state, cost, paid] = [{ current, excess }, 0n, 0n]
          for (let i = 0n; i < seconds; i++) {
            state = ValidatorFee.advanceTime(state, config.target, 1n)
            cost += ValidatorFee.price(state.excess, config)
            if (cost <= funds) paid = i + 1n
          }
          expect(ValidatorFee.costOf({ current, excess }, config, seconds)).toBe(
            cost > 2n ** 64n - 1n ? 2n ** 64n - 1n : cost,
          )
          expect(ValidatorFee.secondsRemaining({ current, excess }, config, seconds, funds)).toBe(paid)
        },
      ),
    )
  })

  it('returns how many seconds the funds last while the price falls', () => {
    const config = { capacity: 20n, target: 10n, minPrice: 3n, excessConversionConstant: 40n }
    const state = { current: 4n, excess: 150n }
    const priceAfter = (seconds: bigint) =>
      ValidatorFee.price(ValidatorFee.advanceTime(state, config.target, seconds).excess, config)
    let [left, lasts] = [0n, 0n]
    for (let funds = 0n; funds < 2000n; funds++, left++) {
      while (lasts < 60n && left >= priceAfter(lasts + 1n)) left -= priceAfter(++lasts)
      expect(ValidatorFee.secondsRemaining(state, config, 60n, funds)).toBe(lasts)
    }
    expect(lasts).toBe(60n)
  })

  it('returns the maximum number of seconds if the price is 0', () => {
    const free = { capacity: 20n, target: 10n, minPrice: 0n, excessConversionConstant: 40n }
    expect(ValidatorFee.secondsRemaining({ current: 5n, excess: 1n }, free, 77n, 0n)).toBe(77n)
  })
})
