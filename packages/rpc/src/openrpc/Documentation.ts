import type { MethodLayouts, ValueOf } from '../Layout.ts'

/** What the document says about each method of a table and each of its arguments. */
export type Documentation<T extends MethodLayouts> = {
  readonly [M in keyof T]: { readonly summary: string } & (keyof ValueOf<T[M]['params']> extends never
    ? { readonly params?: undefined }
    : { readonly params: { readonly [P in keyof ValueOf<T[M]['params']>]-?: string } })
}

export const ENCODING =
  'Encoding of the bytes in the result: `hex` (default) and `hexc` with a checksum of four bytes, `hexnc` without, or `json`.'

export const TX_ENCODING =
  'Encoding of `tx`: `hex` (default) and `hexc` with a checksum of four bytes, `hexnc` without.'

const utxos = {
  addresses: 'At most 1,024 addresses, such as `P-avax1…`.',
  sourceChain: 'Alias or id of a chain. Returns what this chain exported, instead of the own UTXOs.',
  limit: 'Maximum number of UTXOs; 1,024 by default and at most.',
  startIndex: 'The `endIndex` of the previous page.',
  encoding: ENCODING,
} as const

/** The documentation of `getUTXOs`, which three chains have. */
export const GET_UTXOS = {
  summary: 'Returns a page of the UTXOs that name at least one of the addresses.',
  params: utxos,
} as const

/** The documentation of `issueTx`, which three chains have. */
export const ISSUE_TX = {
  summary: 'Issues a signed transaction to the network, and returns its id.',
  params: { tx: 'The encoded signed transaction.', encoding: TX_ENCODING },
} as const
