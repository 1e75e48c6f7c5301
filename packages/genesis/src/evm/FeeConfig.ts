import type { Json } from '@firn/codec'
import { GenesisError } from '../GenesisError.ts'
import * as GoJson from '../internal/GoJson.ts'

/** How a subnet-evm chain sets its fees. Gas and wei; undefined where the genesis says nothing. */
export interface FeeConfig {
  readonly gasLimit: bigint | undefined
  /** Seconds between blocks; 0 where the genesis says nothing. */
  readonly targetBlockRate: bigint
  readonly minBaseFee: bigint | undefined
  readonly targetGas: bigint | undefined
  readonly baseFeeChangeDenominator: bigint | undefined
  readonly minBlockGasCost: bigint | undefined
  readonly maxBlockGasCost: bigint | undefined
  readonly blockGasCostStep: bigint | undefined
}

/** Parameters in the order of the reference's JSON and of the fee manager's storage. */
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

/** A fee configuration that {@link assertValid} has passed: nothing is missing. */
export type Complete = { readonly [K in keyof FeeConfig]: bigint }

/** What a genesis without fee configuration has. */
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

/** The fee configuration in JSON. @throws GenesisError `GENESIS_JSON` */
export function read(value: GoJson.GoJson | undefined, path: string): FeeConfig {
  const from = GoJson.members(value, path)
  const entries = NAMES.map((name) => [name, GoJson.integer(from, name)] as const)
  const targetBlockRate = GoJson.natural(from, 'targetBlockRate') ?? 0n
  return { ...(Object.fromEntries(entries) as unknown as FeeConfig), targetBlockRate }
}

/** True when the genesis says nothing about fees. */
export function isEmpty(config: FeeConfig): boolean {
  return NAMES.every(
    (name) => config[name] === undefined || (name === 'targetBlockRate' && config[name] === 0n),
  )
}

/** The node's JSON, without what is missing. */
export function toJSON(config: FeeConfig): Json.Json {
  const present = NAMES.filter((name) => name !== 'targetBlockRate' || config[name] !== 0n)
  return Object.fromEntries(
    present.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]])),
  ) as Json.Json
}

/** Least values; those of the others is 0. */
const MINIMA: Partial<Record<keyof FeeConfig, bigint>> = {
  gasLimit: 1n,
  targetBlockRate: 1n,
  targetGas: 1n,
  baseFeeChangeDenominator: 1n,
}
const MAX_WORD = 2n ** 256n - 1n
const MAX_U64 = 2n ** 64n - 1n

/**
 * Checks that nothing is missing or out of bounds.
 * @throws GenesisError `GENESIS_EVM_FEES` with `details.field`
 */
export function assertValid(config: FeeConfig): asserts config is Complete {
  for (const name of NAMES) {
    const value = config[name]
    const [minimum, maximum] = [MINIMA[name] ?? 0n, name === 'maxBlockGasCost' ? MAX_U64 : MAX_WORD]
    if (value === undefined || value < minimum || value > maximum) {
      throw new GenesisError(
        'GENESIS_EVM_FEES',
        `expected ${name} from ${minimum} to ${maximum} in the fee config, got ${value ?? 'none'}`,
        { details: { field: name, minimum, maximum, value } },
      )
    }
  }
  const { minBlockGasCost: least, maxBlockGasCost: most } = config as Complete
  if (least > most) {
    throw new GenesisError(
      'GENESIS_EVM_FEES',
      `expected minBlockGasCost of at most maxBlockGasCost ${most}, got ${least}`,
      { details: { field: 'minBlockGasCost', maximum: most, value: least } },
    )
  }
}
