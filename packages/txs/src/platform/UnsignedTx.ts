import * as Codec from '@firn/codec/Codec'
import * as Registry from '../internal/Registry.ts'
import * as layouts from './layouts.ts'
import type { In, Out } from './Stakeable.ts'
import * as StakerTx from './StakerTx.ts'
import { AddSubnetValidatorTx, type Verifiable } from './Verifiable.ts'

export * from './layouts.ts'

/**
 * The effect of a transaction type on stakers: it adds a validator or a delegator, or proposes to reward the staker
 * that the transaction `txID` added. `none` stands for all other types, including those that remove a validator or
 * change L1 validators.
 */
type Staking = 'validator' | 'delegator' | 'reward' | 'none'

/** The role of outputs in a field other than `outputs`: they are either staked or exported. */
type Producing<Tx> = [Registry.FieldOf<Tx, readonly Out[], 'outputs'>] extends [never]
  ? { readonly stake?: undefined; readonly exported?: undefined }
  :
      | { readonly stake: (tx: Tx) => readonly Out[]; readonly exported?: undefined }
      | { readonly stake?: undefined; readonly exported: (tx: Tx) => Registry.Exported<Out> }

type Roles<Tx> = Registry.Role<'authorization', Tx, Verifiable, Registry.FieldOf<Tx, Verifiable>> &
  Registry.Importing<Tx, In> &
  Producing<Tx>

const entry = <L extends Registry.AnyStruct, S extends Staking>(
  typeId: number,
  layout: L,
  staking: S,
  roles: Roles<Codec.Infer<L>>,
): Registry.Entry<L, { readonly staking: S }> => [typeId, layout, { staking, ...roles }]

/**
 * Every P-chain transaction type: its type id on the wire, its layout, and the roles of its fields. Other
 * tables that are keyed by transaction type use the same names, so a new type does not compile until each of
 * them has an entry for it.
 *
 * @example
 * ```ts
 * import { UnsignedTx } from '@firn/txs'
 *
 * const [typeId, layout, { staking }] = UnsignedTx.TYPES.AddValidatorTx
 * console.log(typeId, Object.keys(layout.fields), staking) // 12, […], 'validator'
 * ```
 */
export const TYPES = {
  AddValidatorTx: entry(12, StakerTx.AddValidatorTx, 'validator', { stake: (tx) => tx.stake }),
  AddSubnetValidatorTx: entry(13, AddSubnetValidatorTx, 'validator', {
    authorization: (tx) => tx.subnetAuthorization,
  }),
  AddDelegatorTx: entry(14, StakerTx.AddDelegatorTx, 'delegator', { stake: (tx) => tx.stake }),
  CreateChainTx: entry(15, layouts.CreateChainTx, 'none', { authorization: (tx) => tx.subnetAuthorization }),
  CreateSubnetTx: entry(16, layouts.CreateSubnetTx, 'none', {}),
  ImportTx: entry(17, layouts.ImportTx, 'none', {
    imported: (tx) => ({ from: tx.sourceChain, inputs: tx.importedInputs }),
  }),
  ExportTx: entry(18, layouts.ExportTx, 'none', {
    exported: (tx) => ({ to: tx.destinationChain, outputs: tx.exportedOutputs }),
  }),
  AdvanceTimeTx: entry(19, layouts.AdvanceTimeTx, 'none', {}),
  RewardValidatorTx: entry(20, layouts.RewardValidatorTx, 'reward', {}),
  RemoveSubnetValidatorTx: entry(23, layouts.RemoveSubnetValidatorTx, 'none', {
    authorization: (tx) => tx.subnetAuthorization,
  }),
  TransformSubnetTx: entry(24, layouts.TransformSubnetTx, 'none', {
    authorization: (tx) => tx.subnetAuthorization,
  }),
  AddPermissionlessValidatorTx: entry(25, StakerTx.AddPermissionlessValidatorTx, 'validator', {
    stake: (tx) => tx.stake,
  }),
  AddPermissionlessDelegatorTx: entry(26, StakerTx.AddPermissionlessDelegatorTx, 'delegator', {
    stake: (tx) => tx.stake,
  }),
  TransferSubnetOwnershipTx: entry(33, layouts.TransferSubnetOwnershipTx, 'none', {
    authorization: (tx) => tx.subnetAuthorization,
  }),
  BaseTx: entry(34, layouts.BaseTx, 'none', {}),
  ConvertSubnetToL1Tx: entry(35, layouts.ConvertSubnetToL1Tx, 'none', {
    authorization: (tx) => tx.subnetAuthorization,
  }),
  RegisterL1ValidatorTx: entry(36, layouts.RegisterL1ValidatorTx, 'none', {}),
  SetL1ValidatorWeightTx: entry(37, layouts.SetL1ValidatorWeightTx, 'none', {}),
  IncreaseL1ValidatorBalanceTx: entry(38, layouts.IncreaseL1ValidatorBalanceTx, 'none', {}),
  DisableL1ValidatorTx: entry(39, layouts.DisableL1ValidatorTx, 'none', {
    authorization: (tx) => tx.disableAuthorization,
  }),
  AddAutoRenewedValidatorTx: entry(40, layouts.AddAutoRenewedValidatorTx, 'validator', {
    stake: (tx) => tx.stake,
  }),
  SetAutoRenewedValidatorConfigTx: entry(41, layouts.SetAutoRenewedValidatorConfigTx, 'none', {
    authorization: (tx) => tx.auth,
  }),
  RewardAutoRenewedValidatorTx: entry(42, layouts.RewardAutoRenewedValidatorTx, 'reward', {}),
}

/** Name of a transaction type. */
export type TxType = keyof typeof TYPES

/** The unsigned transaction of type `T`, where `T` may be a union of types. */
export type Of<T extends TxType> = Registry.TxOf<typeof TYPES, T>

/** An unsigned transaction of any type, discriminated by `type`. */
export type UnsignedTx = Of<TxType>

/** Names of the transaction types whose `staking` is `S`. */
export type StakingType<S extends Staking> = {
  readonly [T in TxType]: (typeof TYPES)[T][2]['staking'] extends S ? T : never
}[TxType]

/** Codec of an unsigned transaction with its type id, and of its JSON. */
export const UnsignedTx: Codec.Codec<UnsignedTx> = Codec.union(TYPES)

const role = /* @__PURE__ */ Registry.readRole<
  {
    readonly authorization: Verifiable
    readonly stake: readonly Out[]
    readonly imported: Registry.Imported<In>
    readonly exported: Registry.Exported<Out>
  },
  TxType
>(TYPES)

/**
 * Returns true if a transaction proposes to reward the staker that the transaction `txID` added.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * if (UnsignedTx.isReward(tx)) console.log(Id.format(tx.txID))
 * ```
 */
export function isReward(tx: UnsignedTx): tx is Of<StakingType<'reward'>> {
  return TYPES[tx.type][2].staking === 'reward'
}

/**
 * Returns all inputs of a transaction in the order of their credentials: imported inputs come last.
 *
 * @example
 * ```ts
 * import { UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * console.log(UnsignedTx.inputs(tx).length)
 * ```
 */
export function inputs(tx: UnsignedTx): In[] {
  const there = imported(tx)
  const own = 'inputs' in tx ? tx.inputs : []
  return there === undefined ? [...own] : [...own, ...there.inputs]
}

/**
 * Returns the authorization in a transaction; undefined for types without an authorization.
 *
 * @example
 * ```ts
 * import { UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * console.log(UnsignedTx.authorization(tx)?.type) // 'Input' in valid transactions
 * ```
 */
export function authorization(tx: UnsignedTx): Verifiable | undefined {
  return role(tx, 'authorization')
}

/**
 * Returns the outputs that a transaction stakes; empty for types that stake nothing.
 *
 * @example
 * ```ts
 * import { UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * console.log(UnsignedTx.stake(tx).length)
 * ```
 */
export function stake(tx: UnsignedTx): readonly Out[] {
  return role(tx, 'stake') ?? []
}

/**
 * Returns a transaction's imported inputs and the id of the chain that exported them; undefined if it is not
 * an import.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * const imported = UnsignedTx.imported(tx)
 * if (imported !== undefined) console.log(Id.format(imported.from), imported.inputs.length)
 * ```
 */
export function imported(tx: UnsignedTx): Registry.Imported<In> | undefined {
  return role(tx, 'imported')
}

/**
 * Returns a transaction's exported outputs and the id of the chain that can import them; undefined if it is
 * not an export.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * const exported = UnsignedTx.exported(tx)
 * if (exported !== undefined) console.log(Id.format(exported.to), exported.outputs.length)
 * ```
 */
export function exported(tx: UnsignedTx): Registry.Exported<Out> | undefined {
  return role(tx, 'exported')
}
