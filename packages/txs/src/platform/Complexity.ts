import * as Codec from '@firn/codec/Codec'
import { BitSet, SignedMessage } from '@firn/warp'
import { TxsError } from '../TxsError.ts'
import * as Gas from './Gas.ts'
import type { Signer } from './Signer.ts'
import * as Stakeable from './Stakeable.ts'
import type { L1Validator, Of, TxType, UnsignedTx } from './UnsignedTx.ts'
import type { Verifiable } from './Verifiable.ts'

type Counts = { readonly [Name in keyof Gas.Dimensions]?: number }

const dimensions = ({ bandwidth = 0, dbRead = 0, dbWrite = 0, compute = 0 }: Counts): Gas.Dimensions => ({
  bandwidth: BigInt(bandwidth),
  dbRead: BigInt(dbRead),
  dbWrite: BigInt(dbWrite),
  compute: BigInt(compute),
})

// Sizes of wire types in bytes.
const [ID, SHORT_ID, LONG, INT, SHORT] = [32, 20, 8, 4, 2]
const [PUBLIC_KEY, BLS_SIGNATURE, SIGNATURE] = [48, 96, 65]

/**
 * Size of the codec version, type id, network id, blockchain id, and the lengths of outputs, inputs, memo and
 * credentials.
 */
const BASE = SHORT + INT + INT + ID + 4 * INT
const VALIDATOR = SHORT_ID + 3 * LONG
/** Size of the type ids of an authorization and of its credential. */
const AUTHORIZATION = 2 * INT
const OWNERS = LONG + 2 * INT
const OUTPUT = ID + INT + LONG + OWNERS
/**
 * Size of an input, including the credential's type id and the counts of signature indices and signatures.
 */
const INPUT = ID + INT + ID + INT + INT + LONG + 2 * INT
/** Size that a lock adds to an output or input. */
const LOCK = LONG + INT
const SIGNED_INDEX = INT + SIGNATURE
const L1_VALIDATOR = INT + 2 * LONG + 4 * INT

// Compute times in microseconds.
const SIGNATURE_COMPUTE = 200
const BLS_AGGREGATE = 5
const BLS_VERIFY = 1000
const BLS_PROOF = 50 + BLS_VERIFY

/** Database reads for a Warp message: one for the chain's subnet, the others for a past validator set. */
const WARP_READS = 3 + 20
/** Database writes for an L1 validator: its weight, its key, its subnet and node, and its validation id. */
const L1_VALIDATOR_WRITES = 4

/**
 * Returns a transaction's use of each resource, which determines its fee.
 * @example
 * ```ts
 * import { Complexity, type UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * const { bandwidth, compute } = Complexity.of(tx)
 * ```
 * @throws TxsError `TXS_UNSUPPORTED` for types without a dynamic fee, and for authorizations other than
 * `Input`
 * @throws CodecError, WarpError if a Warp message is malformed
 */
export function of(tx: UnsignedTx): Gas.Dimensions {
  const parts = PARTS[tx.type] as Parts<TxType> | undefined
  if (parts === undefined) {
    throw new TxsError('TXS_UNSUPPORTED', `expected a transaction type with a dynamic fee, got ${tx.type}`, {
      details: { type: tx.type },
    })
  }
  const common = 'inputs' in tx ? [outputs(tx.outputs), inputs(tx.inputs), bytes(tx.memo.length)] : []
  return Gas.add(dimensions({ bandwidth: BASE }), ...common, ...parts(tx))
}

/**
 * Returns the dynamic fee of a transaction at a gas price, in nAVAX.
 * @example
 * ```ts
 * import { Complexity, type UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * const weights = { bandwidth: 1n, dbRead: 1000n, dbWrite: 1000n, compute: 4n }
 * const fee = Complexity.fee(tx, weights, 1n) // nAVAX
 * ```
 * @throws TxsError `TXS_OVERFLOW`, and the errors of {@link of}
 */
export function fee(tx: UnsignedTx, weights: Gas.Dimensions, price: bigint): bigint {
  return Gas.cost(Gas.of(of(tx), weights), price)
}

/**
 * Returns the complexity of outputs.
 * @example
 * ```ts
 * import { Complexity, type Stakeable } from '@firn/txs'
 *
 * declare const outputs: readonly Stakeable.Out[]
 * const { bandwidth, dbWrite } = Complexity.outputs(outputs)
 * ```
 * @throws TxsError `TXS_OVERFLOW`
 */
export function outputs(outs: readonly Stakeable.Out[]): Gas.Dimensions {
  return Gas.add(
    ...outs.map(({ output }) => {
      const { addresses } = Stakeable.unlocked(output)
      const lock = output.type === 'LockOut' ? LOCK : 0
      return dimensions({ bandwidth: OUTPUT + lock + addresses.length * SHORT_ID, dbWrite: 1 })
    }),
  )
}

/**
 * Returns the complexity of inputs and their credentials.
 * @example
 * ```ts
 * import { Complexity, type Stakeable } from '@firn/txs'
 *
 * declare const inputs: readonly Stakeable.In[]
 * const { dbRead, compute } = Complexity.inputs(inputs)
 * ```
 * @throws TxsError `TXS_OVERFLOW`
 */
export function inputs(ins: readonly Stakeable.In[]): Gas.Dimensions {
  return Gas.add(
    ...ins.map(({ input }) => {
      const signers = Stakeable.unlockedInput(input).signatureIndices.length
      const lock = input.type === 'LockIn' ? LOCK : 0
      return dimensions({
        bandwidth: INPUT + lock + signers * SIGNED_INDEX,
        dbRead: 1,
        dbWrite: 1,
        compute: signers * SIGNATURE_COMPUTE,
      })
    }),
  )
}

/**
 * Returns the complexity of owners.
 * @example
 * ```ts
 * import { Complexity } from '@firn/txs'
 *
 * Complexity.owner({ addresses: [new Uint8Array(20)] }).bandwidth // 36n
 * ```
 */
export function owner({ addresses }: { readonly addresses: readonly Uint8Array[] }): Gas.Dimensions {
  return bytes(OWNERS + addresses.length * SHORT_ID)
}

/**
 * Returns the complexity of an authorization and its credential.
 * @example
 * ```ts
 * import { Complexity } from '@firn/txs'
 *
 * Complexity.authorization({ type: 'Input', signatureIndices: [0] }).compute // 200n
 * ```
 * @throws TxsError `TXS_UNSUPPORTED`
 */
export function authorization(value: Verifiable): Gas.Dimensions {
  if (value.type !== 'Input') {
    throw new TxsError('TXS_UNSUPPORTED', `expected an authorization of type Input, got ${value.type}`, {
      details: { type: value.type, part: 'authorization' },
    })
  }
  const signers = value.signatureIndices.length
  return dimensions({ bandwidth: 2 * INT + signers * SIGNED_INDEX, compute: signers * SIGNATURE_COMPUTE })
}

/**
 * Returns the complexity of a BLS key and its proof of possession; zero for an empty signer.
 * @example
 * ```ts
 * import { Complexity } from '@firn/txs'
 *
 * Complexity.signer({ type: 'ProofOfPossession' }).bandwidth // 144n
 * ```
 */
export function signer({ type }: Pick<Signer, 'type'>): Gas.Dimensions {
  return type === 'Empty'
    ? Gas.NONE
    : dimensions({ bandwidth: PUBLIC_KEY + BLS_SIGNATURE, compute: BLS_PROOF })
}

/**
 * Returns the complexity of a signed Warp message.
 * @example
 * ```ts
 * import { Complexity } from '@firn/txs'
 *
 * declare const message: Uint8Array // a signed Warp message
 * const { compute } = Complexity.warp(message)
 * ```
 * @throws CodecError, WarpError `WARP_BIT_SET` if the message is malformed
 */
export function warp(message: Uint8Array): Gas.Dimensions {
  const { signature } = SignedMessage.decode(message)
  const signers = BitSet.decode(signature.signers).length
  return dimensions({
    bandwidth: message.length,
    dbRead: WARP_READS,
    compute: BLS_VERIFY + signers * BLS_AGGREGATE,
  })
}

function bytes(bandwidth: number): Gas.Dimensions {
  return dimensions({ bandwidth })
}

function l1Validator({
  nodeID: nodeId,
  remainingBalanceOwner,
  deactivationOwner,
}: L1Validator): Gas.Dimensions {
  const addresses = remainingBalanceOwner.addresses.length + deactivationOwner.addresses.length
  return Gas.add(
    dimensions({
      bandwidth: L1_VALIDATOR + nodeId.length + addresses * SHORT_ID,
      dbWrite: L1_VALIDATOR_WRITES,
    }),
    signer({ type: 'ProofOfPossession' }),
  )
}

type Parts<T extends TxType> = (tx: Of<T>) => readonly Gas.Dimensions[]

/**
 * The complexity of each type without the common fields, or undefined for types without a dynamic fee.
 * Database reads and writes are counted for the execution of the transaction.
 */
const PARTS: { readonly [T in TxType]: Parts<T> | undefined } = {
  AddValidatorTx: undefined,
  AddDelegatorTx: undefined,
  AdvanceTimeTx: undefined,
  RewardValidatorTx: undefined,
  TransformSubnetTx: undefined,
  RewardAutoRenewedValidatorTx: undefined,
  BaseTx: () => [],
  AddSubnetValidatorTx: (tx) => [
    dimensions({ bandwidth: VALIDATOR + ID + AUTHORIZATION, dbRead: 3, dbWrite: 3 }),
    authorization(tx.subnetAuthorization),
  ],
  CreateChainTx: ({ fxIDs: fxIds, chainName, genesisData, subnetAuthorization }) => [
    dimensions({ bandwidth: 2 * ID + SHORT + 2 * INT + AUTHORIZATION, dbRead: 3, dbWrite: 1 }),
    bytes(fxIds.length * ID + Codec.string.size(chainName) - SHORT + genesisData.length),
    authorization(subnetAuthorization),
  ],
  CreateSubnetTx: (tx) => [dimensions({ bandwidth: INT, dbWrite: 1 }), owner(tx.owner)],
  ImportTx: (tx) => [bytes(ID + INT), inputs(tx.importedInputs)],
  ExportTx: (tx) => [bytes(ID + INT), outputs(tx.exportedOutputs)],
  RemoveSubnetValidatorTx: (tx) => [
    dimensions({ bandwidth: SHORT_ID + ID + AUTHORIZATION, dbRead: 1, dbWrite: 3 }),
    authorization(tx.subnetAuthorization),
  ],
  AddPermissionlessValidatorTx: (tx) => [
    dimensions({ bandwidth: VALIDATOR + ID + 5 * INT, dbRead: 1, dbWrite: 3 }),
    signer(tx.signer),
    outputs(tx.stake),
    owner(tx.validationRewardsOwner),
    owner(tx.delegationRewardsOwner),
  ],
  AddPermissionlessDelegatorTx: (tx) => [
    dimensions({ bandwidth: VALIDATOR + ID + 2 * INT, dbRead: 1, dbWrite: 2 }),
    owner(tx.rewardsOwner),
    outputs(tx.stake),
  ],
  TransferSubnetOwnershipTx: (tx) => [
    dimensions({ bandwidth: ID + INT + AUTHORIZATION, dbRead: 1, dbWrite: 1 }),
    authorization(tx.subnetAuthorization),
    owner(tx.newOwner),
  ],
  ConvertSubnetToL1Tx: (tx) => [
    dimensions({ bandwidth: 2 * ID + 2 * INT + AUTHORIZATION, dbRead: 3, dbWrite: 2 }),
    ...tx.validators.map(l1Validator),
    authorization(tx.subnetAuthorization),
    bytes(tx.address.length),
  ],
  RegisterL1ValidatorTx: (tx) => [
    dimensions({ bandwidth: LONG + BLS_SIGNATURE + INT, dbRead: 5, dbWrite: 6, compute: BLS_PROOF }),
    warp(tx.message),
  ],
  SetL1ValidatorWeightTx: (tx) => [dimensions({ bandwidth: INT, dbRead: 3, dbWrite: 5 }), warp(tx.message)],
  IncreaseL1ValidatorBalanceTx: () => [dimensions({ bandwidth: ID + LONG, dbRead: 1, dbWrite: 5 })],
  DisableL1ValidatorTx: (tx) => [
    dimensions({ bandwidth: ID + AUTHORIZATION, dbRead: 1, dbWrite: 6 }),
    authorization(tx.disableAuthorization),
  ],
  AddAutoRenewedValidatorTx: (tx) => [
    dimensions({ bandwidth: INT + SHORT_ID + 7 * INT + LONG, dbWrite: 3 }),
    signer(tx.signer),
    outputs(tx.stake),
    owner(tx.validationRewardsOwner),
    owner(tx.delegationRewardsOwner),
    owner(tx.validatorAuthority),
  ],
  SetAutoRenewedValidatorConfigTx: (tx) => [
    dimensions({ bandwidth: ID + AUTHORIZATION + INT + LONG, dbRead: 1, dbWrite: 1 }),
    authorization(tx.auth),
  ],
}
