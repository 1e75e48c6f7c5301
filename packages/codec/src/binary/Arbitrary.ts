/** A generator of random values of one type. This is the part of fast-check's `Arbitrary` that codecs use. */
export interface Arbitrary<T> {
  filter(predicate: (value: T) => boolean): Arbitrary<T>
  map<U>(mapper: (value: T) => U): Arbitrary<U>
}

type Range<T> = { readonly min: T; readonly max: T }
type Lengths = { readonly minLength?: number; readonly maxLength: number }

/**
 * The fast-check generators that codecs use; the module `fast-check` satisfies this interface. The types are
 * declared here so that users of the library do not need to install fast-check.
 */
export interface FastCheck {
  boolean(): Arbitrary<boolean>
  integer(range: Range<number>): Arbitrary<number>
  bigInt(range: Range<bigint>): Arbitrary<bigint>
  string(constraints: { readonly unit: 'binary'; readonly maxLength: number }): Arbitrary<string>
  uint8Array(lengths: Lengths): Arbitrary<Uint8Array>
  array<T>(item: Arbitrary<T>, lengths: Lengths): Arbitrary<T[]>
  uniqueArray<T>(
    item: Arbitrary<T>,
    constraints: { readonly maxLength: number; selector(item: T): string },
  ): Arbitrary<T[]>
  record<T>(
    members: { [K in keyof T]: Arbitrary<T[K]> },
    constraints?: { readonly noNullPrototype: true },
  ): Arbitrary<T>
  oneof<T>(...choices: readonly Arbitrary<T>[]): Arbitrary<T>
}
