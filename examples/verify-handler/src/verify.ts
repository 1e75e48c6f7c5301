import { Hex, Id, isFirnError } from '@firn/codec'
import { createValidatorSource, isRpcError } from '@firn/rpc/client'
import { UnsignedMessage, verifyMessage } from '@firn/warp'

/** What a valid message contains, or why a message is rejected. */
export type Verdict =
  | { readonly ok: true; readonly messageId: string; readonly sourceChain: string; readonly payload: string }
  | { readonly ok: false; readonly code: string; readonly reason: string }

/** Verifies a signed message (hex) with the current validators of its source chain. */
export async function verify(nodeUrl: string, signedMessage: string): Promise<Verdict> {
  try {
    const result = await verifyMessage(signedMessage, createValidatorSource({ url: nodeUrl }))
    const { unsigned } = result.message
    if (!result.ok) return { ok: false, code: result.code, reason: result.reason }
    return {
      ok: true,
      messageId: Hex.encode(UnsignedMessage.id(unsigned)),
      sourceChain: Id.format(unsigned.sourceChainID),
      payload: Hex.encode(unsigned.payload),
    }
  } catch (error) {
    // The message is malformed, or the node does not know its source chain. Other failures are the node's.
    const isOfMessage = isRpcError(error) ? error.code === 'RPC_REMOTE' : isFirnError(error)
    if (isOfMessage && isFirnError(error)) return { ok: false, code: error.code, reason: error.message }
    throw error
  }
}
