/** A node's signed statement of its address. */
export interface ClaimedIpPort {
  /** DER. */
  readonly x509Certificate: Uint8Array
  /** 4 or 16 bytes. */
  readonly ipAddr: Uint8Array
  readonly ipPort: number
  /** Unix seconds. */
  readonly timestamp: bigint
  /** By the certificate's key. */
  readonly signature: Uint8Array
  /** Unused: 32 zero bytes. */
  readonly txId: Uint8Array
}
