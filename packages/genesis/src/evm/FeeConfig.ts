import type { Json } from '@firn/codec'
import { GenesisError } from '../GenesisError.ts'
import * as GoJson from '../internal/GoJson.ts'

/**
 * The fee parameters of a subnet-evm chain, in gas and wei. A parameter is undefined if the genesis does not
 * set it.
 */
export interface FeeConfig {
  readonly gasLimit: bigint | undefined
  /** Seconds between blocks; 0 if the genesis does not set it. */
  readonly targetBlockRate: bigint
  readonly minBaseFee: bigint | undefined
  readonly targetGas: bigint | undefined
  readonly baseFeeChangeDenominator: bigint | undefined
  readonly minBlockGasCost: bigint | undefined
  readonly maxBlockGasCost: bigint | undefined
  readonly blockGasCostStep: bigint | undefined
}

/** Parameter names in the order of the reference's JSON and of the fee manager's storage. */
export const NAMES = [
  'gasLimit',
  'targetBlockRate',
  'minBaseFee',
  'targetGas',
  'baseFeeChangeDenominator',
  'minBlockGasCost',
  'maxBlockGasCost',
  'blockGasCostStep',
] as const satisfies readonly (keyof FeeConfig)[]

/** A complete fee configuration, as checked by {@link assertValid}. */
export type Complete = { readonly [K in keyof FeeConfig]: bigint }

/** Default fee configuration, used if the genesis has none. */
export const DEFAULT: Complete = {
  gasLimit: 8_000_000n,
  targetBlockRate: 2n,
  minBaseFee: 25_000_000_000n,
  targetGas: 15_000_000n,
  baseFeeChangeDenominator: 36n,
  minBlockGasCost: 0n,
  maxBlockGasCost: 1_000_000n,
  blockGasCostStep: 200_000n,
}

/**
 * Reads the fee configuration from JSON.
 * @example
 * ```ts
 * import { FeeConfig } from '@firn/genesis'
 *
 * const fees = FeeConfig.read({ gasLimit: 12_000_000n, targetBlockRate: 2n }, 'config.feeConfig')
 * fees.gasLimit // 12000000n
 * ```
 * @throws GenesisError `GENESIS_JSON`
 */
export function read(value: GoJson.GoJson | undefined, path: string): FeeConfig {
  const from = GoJson.members(value, path)
  const add = (config: FeeConfig, name: keyof FeeConfig): FeeConfig => ({
    ...config,
    [name]: GoJson.integer(from, name),
  })
  const targetBlockRate = GoJson.natural(from, 'targetBlockRate') ?? 0n
  return { ...NAMES.reduce(add, DEFAULT), targetBlockRate }
}

/**
 * Returns whether the genesis sets no fee parameter.
 * @example
 * ```ts
 * import { FeeConfig } from '@firn/genesis'
 *
 * FeeConfig.isEmpty(FeeConfig.DEFAULT) // false
 * FeeConfig.isEmpty(FeeConfig.read({}, 'config.feeConfig')) // true
 * ```
 */
export function isEmpty(config: FeeConfig): boolean {
  return NAMES.every(
    (name) => config[name] === undefined || (name === 'targetBlockRate' && config[name] === 0n),
  )
}

/**
 * Converts the fee parameters to the node's JSON. Missing parameters are omitted.
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 * import { FeeConfig } from '@firn/genesis'
 *
 * Json.stringify(FeeConfig.toJSON(FeeConfig.DEFAULT)) // '{"gasLimit":8000000,"targetBlockRate":2,…}'
 * ```
 */
export function toJSON(config: FeeConfig): Json.Json {
  const present = NAMES.filter((name) => name !== 'targetBlockRate' || config[name] !== 0n)
  return Object.fromEntries(
    present.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]])),
  ) as Json.Json
}

/** Minimum values of parameters. Parameters that are not listed have the minimum 0. */
const MINIMA: Partial<Record<keyof FeeConfig, bigint>> = {
  gasLimit: 1n,
  targetBlockRate: 1n,
  targetGas: 1n,
  baseFeeChangeDenominator: 1n,
}
const MAX_WORD = 2n ** 256n - 1n
const MAX_U64 = 2n ** 64n - 1n

/**
 * Checks that all parameters are set and within their bounds.
 * @example
 * ```ts
 * import { FeeConfig } from '@firn/genesis'
 *
 * FeeConfig.assertValid({ ...FeeConfig.DEFAULT, gasLimit: 20_000_000n })
 * ```
 * @throws GenesisError `GENESIS_EVM_FEES` with `details.field`
 */
export function assertValid(config: FeeConfig): asserts config is Complete {
  for (const name of NAMES) {
    const value = config[name]
    const [minimum, maximum] = [MINIMA[name] ?? 0n, name === 'maxBlockGasCost' ? MAX_U64 : MAX_WORD]
    if (value === undefined || value < minimum || value > maximum) {
      throw new GenesisError(
        'GENESIS_EVM_FEES',
        `feeConfig.${name}: expected a number from ${minimum} to ${maximum}, got ${value ?? 'none'}`,
        { details: { field: name, minimum, maximum, value } },
      )
    }
  }
  const { minBlockGasCost: least, maxBlockGasCost: most } = config as Complete
  if (least > most) {
    throw new GenesisError(
      'GENESIS_EVM_FEES',
      `feeConfig.minBlockGasCost: expected at most maxBlockGasCost (${most}), got ${least}`,
      { details: { field: 'minBlockGasCost', maximum: most, value: least } },
    )
  }
}
