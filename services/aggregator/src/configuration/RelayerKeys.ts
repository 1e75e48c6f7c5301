/**
 * Keys of the relayer's configuration file. The Go signature-aggregator ignores unknown keys, so operators give both
 * programs the same file.
 */
export const RELAYER_KEYS = {
  program: 'the relayer',
  keys: [
    'account-private-key',
    'account-private-keys-list',
    'db-write-interval-seconds',
    'decider-url',
    'destination-blockchains',
    'external-evm-destinations',
    'initial-connection-timeout-seconds',
    'max-concurrent-messages',
    'process-missed-blocks',
    'redis-url',
    'source-blockchains',
    'storage-location',
  ],
} as const
