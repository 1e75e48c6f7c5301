import { Bytes, Id, type Json } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { TxsError } from '../TxsError.ts'

/** An output of a transaction: `output` holds an amount of the asset `assetID`. */
export interface TransferableOutput<O> {
  readonly assetID: Uint8Array
  readonly output: O
}

/**
 * Returns the codec of a chain's transferable outputs. `output` is the codec of their content. `fxId` returns the id
 * of an output's fx, which the node's JSON shows but the bytes do not contain. Without an `hrp` in the context the fx
 * is the zero id, as in objects whose chain the node has not set.
 */
export function codec<O>(
  output: Codec.Codec<O>,
  fxId: (output: O) => Uint8Array,
): Codec.Codec<TransferableOutput<O>> {
  return Codec.withJson(Codec.struct({ assetID: Codec.id, output }), {
    json: (value, context, plain) => {
      const { assetID: assetId, output: inner } = plain(value) as Record<'assetID' | 'output', Json.Json>
      return { assetID: assetId, fxID: formatFx(fxId(value.output), context), output: inner } as Json.Json
    },
    unjson: (json, _context, plain) => plain(json),
  })
}

/** Cache of formatted fx ids: there are few, but every output and input prints one. */
const TEXTS = new WeakMap<Uint8Array, string>()

/** Formats an fx id, or the zero id if the context has no `hrp`. */
export function formatFx(fxId: Uint8Array, context: Codec.JsonContext): string {
  const id = context.hrp === undefined ? Id.EMPTY : fxId
  const text = TEXTS.get(id) ?? Id.format(id)
  TEXTS.set(id, text)
  return text
}

/** Returns a function that compares outputs by asset id, then by their encoded content with its type id. */
export function compare<O>(
  output: Codec.Codec<O>,
): (a: TransferableOutput<O>, b: TransferableOutput<O>) => number {
  return (a, b) =>
    Bytes.compare(a.assetID, b.assetID) || Bytes.compare(output.encode(a.output), output.encode(b.output))
}

/**
 * Checks that outputs are sorted; equal outputs may be adjacent.
 * @throws TxsError `TXS_OUTPUTS_ORDER`
 */
export function assertSorted<O>(output: Codec.Codec<O>, outputs: readonly TransferableOutput<O>[]): void {
  const order = compare(output)
  const index = outputs.findIndex((item, i) => i > 0 && order(outputs[i - 1] as typeof item, item) > 0)
  if (index < 0) return
  throw new TxsError(
    'TXS_OUTPUTS_ORDER',
    `expected sorted outputs, but output ${index} is less than the previous one`,
    {
      details: { index },
    },
  )
}
