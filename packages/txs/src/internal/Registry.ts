import type * as Codec from '@firn/codec/Codec'

/** A struct codec with any fields. */
// biome-ignore lint/suspicious/noExplicitAny: accepts any struct; `Codec.Infer` recovers its fields
export type AnyStruct = Codec.StructCodec<any>

/** Names of the fields of `Tx` whose type is exactly `V`, except those in `Known`. */
export type FieldOf<Tx, V, Known = never> = {
  [K in keyof Tx]: K extends Known ? never : [Tx[K], V] extends [V, Tx[K]] ? K : never
}[keyof Tx]

/** Inputs that spend UTXOs exported by the chain with the id `from`. */
export interface Imported<In> {
  readonly from: Uint8Array
  readonly inputs: readonly In[]
}

/** Outputs that the chain with the id `to` can import. */
export interface Exported<Out> {
  readonly to: Uint8Array
  readonly outputs: readonly Out[]
}

/**
 * A role: a function named `Name` that reads a `V` from a transaction. Required if the transaction type has a field
 * for the role (`Field` is not `never`), otherwise forbidden.
 */
export type Role<Name extends string, Tx, V, Field> = [Field] extends [never]
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: (tx: Tx) => V }

/** An entry of a table of transaction types: the type id, the layout, and the roles of the fields. */
export type Entry<L, R> = readonly [typeId: number, layout: L, roles: R]

/** The import role of a transaction type. Required if it has inputs in a field other than `inputs`. */
export type Importing<Tx, In> = Role<'imported', Tx, Imported<In>, FieldOf<Tx, readonly In[], 'inputs'>>

/**
 * The export role of a transaction type, on chains without stake. Required if it has outputs in a field other
 * than `outputs`.
 */
export type Exporting<Tx, Out> = Role<'exported', Tx, Exported<Out>, FieldOf<Tx, readonly Out[], 'outputs'>>

/**
 * The transaction of type `T` of a registry, with the name of the type as `type`. `T` may be a union of
 * types.
 */
export type TxOf<Types extends Record<T, Entry<AnyStruct, object>>, T extends keyof Types> = {
  readonly [K in T]: Codec.Flat<{ readonly type: K } & Codec.Infer<Types[K][1]>>
}[T]

/**
 * Returns a function that takes a transaction and the name of a role and returns the role's value; undefined if the
 * transaction's type does not have the role.
 */
export const readRole =
  <Values, TxType extends string>(types: Readonly<Record<TxType, Entry<AnyStruct, object>>>) =>
  <Name extends keyof Values>(tx: { readonly type: TxType }, name: Name): Values[Name] | undefined =>
    (types[tx.type][2] as { readonly [N in keyof Values]?: (tx: object) => Values[N] })[name]?.(tx)
