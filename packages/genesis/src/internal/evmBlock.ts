import { Rlp } from '@firn/txs'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { EvmGenesis } from '../evm/EvmGenesis.ts'
import * as State from './state.ts'
import * as Trie from './trie.ts'

/** Block 0 of an EVM chain. */
export interface EvmFirstBlock {
  /** Keccak-256 of the RLP-encoded header, 32 bytes. */
  readonly hash: Uint8Array
  /** RLP-encoded header. */
  readonly header: Uint8Array
  readonly stateRoot: Uint8Array
  /** Base fee in wei; undefined for blocks before base fees existed. */
  readonly baseFee: bigint | undefined
  readonly gasLimit: bigint
  readonly timestamp: bigint
}

/**
 * Fields that a chain adds to the header of its block 0, in wire order. Undefined fields at the end are
 * omitted.
 */
export interface Additions {
  /** Fields that are always present. The C-chain has one: the hash of atomic transactions. */
  readonly required: readonly Uint8Array[]
  readonly baseFee: bigint | undefined
  readonly optional: readonly (bigint | Uint8Array | undefined)[]
}

/** Uncle hash of a block without uncles, the hash of the RLP of an empty list. */
const NO_UNCLES = keccak_256(Rlp.encode([]))
const NO_BLOOM = new Uint8Array(256)
/** Gas limit to use if the genesis sets it to 0. */
const DEFAULT_GAS_LIMIT = 4_712_388n

/** Creates block 0 from a genesis and its state root. */
export function create(genesis: EvmGenesis, stateRoot: Uint8Array, additions: Additions): EvmFirstBlock {
  const gasLimit = genesis.gasLimit === 0n ? DEFAULT_GAS_LIMIT : genesis.gasLimit
  const header = Rlp.encode([
    genesis.parentHash,
    NO_UNCLES,
    genesis.coinbase,
    stateRoot,
    Trie.EMPTY_ROOT,
    Trie.EMPTY_ROOT,
    NO_BLOOM,
    Rlp.fromBigint(genesis.difficulty),
    Rlp.fromBigint(genesis.number),
    Rlp.fromBigint(gasLimit),
    Rlp.fromBigint(genesis.gasUsed),
    Rlp.fromBigint(genesis.timestamp),
    genesis.extraData,
    genesis.mixHash,
    State.word(genesis.nonce).subarray(24),
    ...additions.required,
    ...trimmed([additions.baseFee, ...additions.optional]),
  ])
  const { timestamp } = genesis
  return { hash: keccak_256(header), header, stateRoot, baseFee: additions.baseFee, gasLimit, timestamp }
}

function trimmed(fields: readonly (bigint | Uint8Array | undefined)[]): Uint8Array[] {
  const end = fields.findLastIndex((field) => field !== undefined) + 1
  return fields
    .slice(0, end)
    .map((field) => (field instanceof Uint8Array ? field : Rlp.fromBigint(field ?? 0n)))
}

/**
 * Adds the accounts of a genesis to a state. Balance, code and nonce replace existing values, and storage is
 * merged.
 */
export function allocate(
  state: State.State,
  { alloc }: EvmGenesis,
  slotOf: (slot: Uint8Array) => Uint8Array = (slot) => slot,
): void {
  for (const { address, balance, nonce, code, storage } of alloc) {
    const account = State.account(state, address)
    Object.assign(account, { balance, nonce, code })
    for (const { slot, value } of storage) State.store(account, slotOf(slot), value)
  }
}

/**
 * Marks a precompile as a contract, with a nonce and one byte of code. Solidity does not call an address
 * without code.
 */
export function activate(state: State.State, address: Uint8Array): State.Account {
  return Object.assign(State.account(state, address), { nonce: 1n, code: Uint8Array.of(1) })
}
