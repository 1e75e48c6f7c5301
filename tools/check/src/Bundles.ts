/** A module to bundle for the browser, and the maximum size of the bundle. */
export type Bundle = {
  readonly name: string
  /** Source of the module to bundle, which imports by package name. */
  readonly code: string
  /** Folder of the package whose dependencies the module may use. */
  readonly from: string
  /** Maximum size in bytes, minified and gzipped. */
  readonly limit: number
}

const alone = (folder: string, name: string, limit: number): Bundle => ({
  name: `${folder}: ${name} alone`,
  from: `packages/${folder}`,
  code: `export { ${name} } from '@firn/${folder}'`,
  limit,
})

const whole = (folder: string, limit: number): Bundle => ({
  name: `${folder}: whole package`,
  from: `packages/${folder}`,
  code: `export * from '@firn/${folder}'`,
  limit,
})

/**
 * Bundles with their size limits. Each limit is the measured size plus 10 %. The READMEs promise the limits
 * of Cb58 (with hashing), PlatformTx and the RPC client with P-chain methods to users.
 */
export const BUNDLES: readonly Bundle[] = [
  alone('codec', 'Cb58', 4_600),
  alone('codec', 'Hex', 850),
  alone('codec', 'Json', 2_700),
  alone('codec', 'Address', 1_750),
  alone('codec', 'NodeId', 4_750),
  alone('codec', 'Codec', 10_200),
  alone('bls', 'Signature', 30_850),
  alone('keys', 'PrivateKey', 19_550),
  alone('keys', 'StakingCertificate', 24_750),
  alone('warp', 'UnsignedMessage', 10_500),
  alone('warp', 'Verification', 39_200),
  alone('txs', 'PlatformTx', 12_400),
  whole('codec', 14_550),
  whole('bls', 33_850),
  whole('keys', 30_000),
  {
    name: 'keys: Mnemonic',
    from: 'packages/keys',
    code: "export * from '@firn/keys/Mnemonic'",
    limit: 34_150,
  },
  whole('warp', 46_500),
  whole('aggregation', 56_500),
  whole('txs', 95_000),
  whole('sync', 50_600),
  whole('genesis', 37_500),
  whole('runtime', 2_350),
  alone('rpc', 'createClient', 7_700),
  alone('rpc', 'connect', 7_450),
  {
    name: 'rpc: client with P-chain methods',
    from: 'packages/rpc',
    code: "export { createHttpClient, PlatformMethods } from '@firn/rpc/client'",
    limit: 9_900,
  },
  {
    name: 'rpc: client with fee methods',
    from: 'packages/rpc',
    code: "export { createHttpClient, PlatformFeeMethods } from '@firn/rpc/client'",
    limit: 8_450,
  },
  whole('client', 5_250),
  {
    name: 'client: aggregator',
    from: 'packages/client',
    code: "export * from '@firn/client/aggregator'",
    limit: 3_700,
  },
  whole('evm', 28_500),
  whole('rpc', 21_500),
  // The package covers the whole Primary Network. A quarter of its size is the layouts of X-chain blocks and
  // EVM blocks and their hash function.
  whole('ledger', 48_000),
  // Builders check proofs of possession, which needs BLS signatures.
  whole('wallet', 95_000),
]
