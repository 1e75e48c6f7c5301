import type { Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { TxsError } from '../TxsError.ts'
import { formatFx } from './TransferableOutput.ts'
import * as UtxoId from './UtxoId.ts'

/**
 * An input of a transaction: `input` spends the UTXO `txID:outputIndex`, which holds the asset `assetID`.
 */
export interface TransferableInput<I> extends UtxoId.UtxoId {
  readonly assetID: Uint8Array
  readonly input: I
}

/**
 * Returns the codec of a chain's transferable inputs. `input` is the codec of their content; `fxId` returns the id of
 * the fx for JSON.
 */
export function codec<I>(
  input: Codec.Codec<I>,
  fxId: (input: I) => Uint8Array,
): Codec.Codec<TransferableInput<I>> {
  return Codec.withJson(Codec.struct({ ...UtxoId.UtxoId.fields, assetID: Codec.id, input }), {
    json: (value, context, plain) => {
      const { input: inner, ...source } = plain(value) as Readonly<Record<string, Json.Json>>
      return { ...source, fxID: formatFx(fxId(value.input), context), input: inner } as Json.Json
    },
    unjson: (json, _context, plain) => plain(json),
  })
}

/**
 * Checks that inputs are sorted and that no UTXO is spent twice.
 * @throws TxsError `TXS_INPUTS_ORDER`
 */
export function assertSortedAndUnique(inputs: readonly UtxoId.UtxoId[]): void {
  const index = inputs.findIndex(
    (item, i) => i > 0 && UtxoId.compare(inputs[i - 1] as typeof item, item) >= 0,
  )
  if (index < 0) return
  throw new TxsError(
    'TXS_INPUTS_ORDER',
    `expected sorted, unique inputs, but input ${index} is not greater than the previous one`,
    {
      details: { index },
    },
  )
}
