/** An application request as {@link createNetwork} sends it. */
export interface AppRequestInit {
  /** 32 bytes. */
  readonly chainId: Uint8Array
  /** Handler prefix and body. The same array object given for many peers is encoded once. */
  readonly bytes: Uint8Array
  /** Milliseconds this side waits; the wire carries at most 10,000. */
  readonly deadlineMs: number
}

/** How a request ended. Exactly one per request. */
export type AppAnswer =
  | { readonly kind: 'response'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'disconnected'; readonly reason: string }
