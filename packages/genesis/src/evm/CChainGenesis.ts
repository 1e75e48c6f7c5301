import { Hex } from '@firn/codec'
import { GenesisError } from '../GenesisError.ts'
import * as Block from '../internal/evmBlock.ts'
import * as GoJson from '../internal/GoJson.ts'
import * as State from '../internal/state.ts'
import * as Upgrades from '../Upgrades.ts'
import type { EvmGenesis } from './EvmGenesis.ts'

/** Block 0 of the C-chain. */
export interface CChainFirstBlock extends Block.EvmFirstBlock {
  /** EVM chain id; undefined if the genesis has none. */
  readonly evmChainId: bigint | undefined
}

const WARP = Hex.decodeBare('0200000000000000000000000000000000000005')

/** Initial base fee of Apricot phase 3 in wei, 225 gwei. */
const INITIAL_BASE_FEE = 225_000_000_000n
/** Exponent that gives a delay of two seconds between blocks (ACP-226). */
const INITIAL_DELAY_EXCESS = 7_970_124n

/**
 * EVM chain ids of the networks on which London activates at a block above 0: Mainnet, Fuji, and the
 * reference's test fixture.
 */
const LATE_LONDON: readonly bigint[] = [43_114n, 43_113n, 43_110n]

/**
 * Returns block 0 of a C-chain on a network with the given upgrades. Upgrade times in the `config` of the
 * genesis are ignored. Source: coreth `Genesis.ToBlock`.
 * @example
 * ```ts
 * import { CChainGenesis, EvmGenesis, Upgrades } from '@firn/genesis'
 *
 * const genesis = EvmGenesis.parse(
 *   '{"config":{"chainId":43112},"gasLimit":"0x5f5e100","difficulty":"0x0","alloc":{}}',
 * )
 * const block = CChainGenesis.firstBlock(genesis, Upgrades.DEFAULT)
 * block.evmChainId // 43112n
 * ```
 * @throws GenesisError `GENESIS_EVM_CONFIG` if the config is missing, or its chain id is not an integer
 */
export function firstBlock(genesis: EvmGenesis, upgrades: Upgrades.Upgrades): CChainFirstBlock {
  if (genesis.config === undefined) {
    throw new GenesisError(
      'GENESIS_EVM_CONFIG',
      'the genesis of the C-chain has no config; add a config object with the chainId',
    )
  }
  const evmChainId = GoJson.integer(GoJson.members(genesis.config, 'config'), 'chainId')
  const isActive = (name: Upgrades.Name) => Upgrades.isActive(upgrades, name, genesis.timestamp)
  const state: State.State = new Map()
  if (isActive('durango')) Block.activate(state, WARP)
  Block.allocate(state, genesis, ordinarySlot)
  const isLondon = evmChainId === undefined || !LATE_LONDON.includes(evmChainId)
  const block = Block.create(genesis, State.root(state, 'coreth'), {
    required: [new Uint8Array(32)],
    baseFee: genesis.baseFeePerGas ?? (isActive('apricotPhase3') ? INITIAL_BASE_FEE : undefined),
    optional: optionalFields(genesis, isActive, isLondon),
  })
  return { ...block, evmChainId }
}

function optionalFields(
  { timestamp, blobGasUsed, excessBlobGas }: EvmGenesis,
  isActive: (name: Upgrades.Name) => boolean,
  isLondon: boolean,
): (bigint | Uint8Array | undefined)[] {
  const [isEtna, isGranite, isHelicon] = [isActive('etna'), isActive('granite'), isActive('helicon')]
  const isCancun = isEtna && isLondon
  const zero = (isThere: boolean) => (isThere ? 0n : undefined)
  return [
    zero(isEtna), // This field is `extDataGasUsed`.
    zero(isEtna), // This field is `blockGasCost`.
    isCancun ? (blobGasUsed ?? 0n) : undefined,
    isCancun ? (excessBlobGas ?? 0n) : undefined,
    isCancun ? new Uint8Array(32) : undefined, // This field is `parentBeaconBlockRoot`.
    isGranite ? BigInt.asUintN(64, timestamp * 1000n) : undefined,
    isGranite ? INITIAL_DELAY_EXCESS : undefined,
    ...Array.from({ length: 6 }, () => zero(isHelicon)), // These fields are the exponents of target and price, and four settlement fields.
  ]
}

/**
 * Returns a storage slot with the lowest bit of its first byte cleared. The C-chain uses this bit to separate
 * contract storage from balances of other assets.
 */
function ordinarySlot(slot: Uint8Array): Uint8Array {
  const ordinary = slot.slice()
  ordinary[0] = (ordinary[0] as number) & 0xfe
  return ordinary
}
