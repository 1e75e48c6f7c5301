import type { ChainAlias } from '@firn/codec'
import type { BlockBuilder } from './building/BlockBuilder.ts'
import type { Change } from './Change.ts'
import type { L1, PrimaryChains } from './Genesis.ts'
import type { Chain, State } from './State.ts'
import type { Timeline } from './Timeline.ts'
import type { Validator } from './Validator.ts'

/** A message to be accepted on an EVM chain. */
export interface AcceptMessage {
  /** Chain on which the message is accepted, or its id, name or alias. */
  readonly chain: Chain | Uint8Array | string
  /** Payload that the contract sent. */
  readonly payload: Uint8Array
  /** Contract or account that sent the payload, 20 bytes; defaults to 0x11 repeated. */
  readonly sourceAddress?: Uint8Array
  /** Indices of the nodes that accept the message; defaults to all nodes. */
  readonly nodes?: readonly number[]
}

/** A validator of a devnet, with its current weight. */
export interface DevnetValidator extends Validator {
  /** Weight on the Primary Network at the tip; 0 if the node does not validate the Primary Network. */
  readonly weight: bigint
}

/** A running devnet. */
export interface Devnet {
  readonly networkId: number
  /**
   * Base URL without a path. It serves `/ext/info`, `/ext/bc/P`, `/ext/P`, `/ext/bc/{chain}/proposervm` and
   * `/devnet`.
   */
  readonly rpcUrl: string
  /** Validators of the Primary Network, followed by nodes that validate only L1s, followed by spare nodes. */
  readonly validators: readonly DevnetValidator[]
  readonly chains: PrimaryChains & { readonly l1s: readonly Chain[] }
  readonly l1s: readonly L1[]
  readonly timeline: Timeline
  /** The P-chain's state at the tip. */
  readonly state: State
  /** The chains of a devnet with the option `buildBlocks`; undefined otherwise. */
  readonly builder: BlockBuilder | undefined
  /** Values of a node's options `--bootstrap-ids` and `--bootstrap-ips`. Only a devnet with `builder` answers for blocks. */
  readonly bootstrap: { readonly ids: string; readonly ips: string }
  /**
   * Verifies a signed transaction of a devnet that builds blocks, and builds its block after the option `buildDelayMs`.
   * Returns its id (32 bytes).
   * @throws DevnetError `DEVNET_CHANGE` without the option `buildBlocks`; CodecError, TxsError, LedgerError, DevnetError
   * with the reason why no block can contain the transaction
   */
  issue(chain: ChainAlias, bytes: Uint8Array): Uint8Array
  /**
   * Makes nodes sign an AddressedCall of an EVM chain. Returns the unsigned message.
   * @throws DevnetError `DEVNET_UNKNOWN`
   */
  acceptMessage(message: AcceptMessage): Uint8Array
  /**
   * Makes all or some nodes sign an unsigned message with any content.
   * @throws DevnetError `DEVNET_UNKNOWN`
   */
  acceptUnsigned(chain: AcceptMessage['chain'], message: Uint8Array, nodes?: readonly number[]): void
  /**
   * Accepts a block hash (32 bytes) on an EVM chain.
   * @throws DevnetError `DEVNET_UNKNOWN`
   */
  acceptBlock(chain: AcceptMessage['chain'], hash: Uint8Array, nodes?: readonly number[]): void
  /**
   * Sets the uptime of an L1 validator, in seconds, as observed by all nodes of the L1.
   * @throws DevnetError `DEVNET_UNKNOWN`
   */
  setUptime(chain: AcceptMessage['chain'], validationId: Uint8Array, seconds: bigint): void
  /**
   * Accepts a P-chain block and returns the new state.
   * @throws DevnetError `DEVNET_CHANGE`
   */
  advance(changes?: readonly Change[]): State
  /** Returns the P-chain's time in Unix milliseconds. */
  nowMs(): number
  /** Advances the P-chain's time by `ms` milliseconds. The clocks of the validators' connections are unaffected. */
  passTime(ms: number): void
  /**
   * Accepts a P-chain block that results in the given state. Use it if another component maintains the
   * P-chain.
   * @throws DevnetError `DEVNET_CHANGE`
   */
  follow(state: State): void
  /** Makes platform.getTx return the given signed transaction. Returns its id (32 bytes). */
  acceptTransaction(bytes: Uint8Array): Uint8Array
  /**
   * Assigns faults to validators. The faults have the form that `Fault.assign` reads. Validators that are not
   * mentioned keep their faults. A `cancelling` fault is set on both partners.
   */
  setFaults(faults: unknown): void
  clearFaults(): void
  /**
   * Resolves when every validator has prepared its part of a handshake. Large networks prepare handshakes in
   * the background, which takes 20 ms each. A connection that is opened earlier waits until its handshake is
   * prepared. Also opens the database of a devnet that builds blocks.
   */
  warm(): Promise<void>
  close(): Promise<void>
}
