import { Common, group, option, removed, Type } from '@firn/options'
import { RETRIES } from '../webhooks/delivery/RetryPolicy.ts'

const units = (fallback: number, help: string) =>
  option(Type.integer(0, 999_999_999, 'units'), { default: fallback, help })

const rows = (fallback: number, help: string) =>
  option(Type.integer(20_000, 999_999_999, 'rows'), { default: fallback, help })
const streams = (fallback: number, help: string) =>
  option(Type.integer(0, 1_000, 'streams'), { default: fallback, help })
const concurrency = (fallback: number, help: string) =>
  option(Type.integer(1, 1_000, 'requests'), { default: fallback, help })

/**
 * Options of the Data API, except the port, whose option has a different name in each command. Compute units are
 * counted as in the hosted service.
 */
export const OPTIONS = {
  ...group('HTTP', {
    host: option(Type.host, { default: '127.0.0.1', help: 'Address to listen on.' }),
    prefix: option(Type.text, { help: 'Prefix of every path, such as /data.' }),
    metricsPort: option(Type.port, {
      help: 'Port that serves the Metrics API, instead of the port of the Data API.',
    }),
    metricsPrefix: option(Type.text, {
      defaultText: 'as --prefix',
      help: 'Prefix of the paths of the Metrics API.',
    }),
    aggregateStatus: option(Type.choice('200', '201', 'auto'), {
      default: 'auto',
      help: 'Status of a signed message. With auto, it is 201 for the official client, which accepts no other, and 200 for all others.',
    }),
    moneyForm: option(Type.choice('auto', 'text', 'number'), {
      default: 'auto',
      help: 'Form of prices and values of balances. With auto, they are numbers for the official clients, which accept no text, and text for all others. In browsers these clients do not name themselves.',
    }),
    requestTimeout: option(Type.duration({ bare: 'ms' }), {
      default: 10_000,
      help: 'Maximum time of a request, and of its statements on PostgreSQL.',
      former: { timeout: Type.duration({ bare: 'ms' }) },
    }),
    answerCacheBytes: option(Type.bytes, {
      default: 67_108_864,
      help: 'Maximum bytes of responses cached until the next block; 0 disables the cache.',
    }),
  }),
  ...Common.NETWORK_ALIAS,
  ...group('Metadata', {
    metadata: option(Type.path, {
      help: 'JSON file with names, descriptions, logos, links, tags and prices of chains, tokens, addresses and subnets. It is read again when it changes.',
    }),
    chainDetails: removed(
      Type.path,
      '--chain-details was removed. Put its contents into the member "chains" of the file of --metadata.',
    ),
  }),
  ...group('Decoding', {
    abis: option(Type.path, {
      help: 'Folder of verified contracts in the format of Sourcify (full_match and partial_match), whose ABIs decode calls and logs. Files are read when they are needed, and again when they change.',
    }),
    selectors: option(Type.path, {
      help: 'File of signatures of functions and events, a line each or JSON. They decode what has no verified ABI, as a guess. It is read again when it changes.',
    }),
  }),
  ...group('Webhooks', {
    webhookDelivery: option(Type.flag, {
      default: true,
      help: 'Send the messages of webhooks from this process.',
      negatedHelp: 'Leave the messages of webhooks to other processes on the same database.',
    }),
    webhookNetworks: option(Type.list(Type.text), {
      default: [],
      defaultText: 'none',
      help: "Addresses and networks inside the operator's network, such as 10.0.0.0/8, that webhooks may call, also without TLS and on any port.",
    }),
    webhookTimeout: option(Type.duration({ leastMs: 100, mostMs: 60_000 }), {
      default: 10_000,
      help: 'Time within which the target of a webhook must answer.',
    }),
    webhookKeep: option(Type.duration({ leastMs: 3_600_000, mostMs: 400 * 86_400_000 }), {
      default: 7 * 86_400_000,
      help: 'Time for which messages of webhooks are kept, for replays.',
    }),
    webhookLongestDelay: option(Type.duration({ leastMs: 10, mostMs: 86_400_000 }), {
      default: RETRIES.longestMs,
      help: 'Longest time between two attempts to send a message. It is one second after the first failure, and doubles with each further one.',
    }),
    webhookGiveUp: option(Type.duration({ leastMs: 10, mostMs: 400 * 86_400_000 }), {
      default: RETRIES.giveUpMs,
      help: 'Time after which a message that no attempt could deliver is dead, after at least ten attempts.',
    }),
    webhookDeactivate: option(Type.duration({ leastMs: 3_600_000, mostMs: 400 * 86_400_000 }), {
      default: RETRIES.deactivateMs,
      help: 'Time without a delivered message after which a webhook that fails becomes inactive.',
    }),
    webhookConcurrency: concurrency(64, 'Webhooks to which messages are sent at the same time, per process.'),
    webhookHostConcurrency: concurrency(16, 'The same for webhooks with one host.'),
    webhookSecretEncoding: option(Type.choice('text', 'hex'), {
      default: 'text',
      help: 'Key of the signatures of new webhooks whose creators choose none: the text of the secret, or the bytes of which it is the hexadecimal form (hex), as in the samples of the hosted service.',
    }),
    webhookStreams: streams(20, 'Streams of messages of an API key, per process; 0 allows none.'),
  }),
  ...group('Exports', {
    exportRows: option(Type.integer(1, 1_000_000_000, 'rows'), {
      default: 10_000_000,
      help: 'Rows after which an export of a key ends with the current day; of any caller without rate limits.',
    }),
    anonymousExportRows: option(Type.integer(1, 1_000_000_000, 'rows'), {
      default: 100_000,
      help: 'Rows after which an export without a key ends with the current day.',
    }),
    exportBytes: option(Type.bytes, {
      default: 17_179_869_184,
      help: 'Stored bytes of the files of all exports. Callers without a key may use half of them together.',
    }),
    keyExportBytes: option(Type.bytes, {
      default: 2_147_483_648,
      help: 'Stored bytes of the files of a key, also of finished exports. Files are stored compressed.',
    }),
    anonymousExportBytes: option(Type.bytes, {
      default: 33_554_432,
      help: 'The same of an address without a key; of all addresses in an IPv6 /48, 16 times as many.',
    }),
    exportsPerCaller: option(Type.integer(1, 100, 'exports'), {
      default: 2,
      help: 'Unfinished exports of one caller (API key or address).',
    }),
    exportRetention: option(Type.duration(), {
      default: 86_400_000,
      help: 'Time for which the files of exports are kept.',
    }),
  }),
  ...group('Usage', {
    requestLogKeep: option(Type.duration({ leastMs: 0, mostMs: 400 * 86_400_000 }), {
      default: 7 * 86_400_000,
      help: 'Time for which requests with API keys are logged, for their owners; 0 logs none.',
    }),
    requestLogRows: option(Type.integer(1, 100_000_000, 'requests'), {
      default: 100_000,
      help: 'Logged requests of each API key. Older ones are removed within minutes.',
    }),
    requestLogClients: option(Type.flag, {
      default: true,
      help: 'Log the address, host and program of clients.',
      negatedHelp: 'Leave the address, host and program of clients empty in the log.',
    }),
    usageKeep: option(Type.duration({ leastMs: 4 * 86_400_000, mostMs: 4_000 * 86_400_000 }), {
      default: 400 * 86_400_000,
      help: 'Time for which the counts of requests with API keys are kept.',
    }),
  }),
  ...Common.PROXIES,
  ...Common.CONNECTIONS,
  ...Common.CONNECTION_TIMES,
  ...Common.OPERATORS,
  ...Common.RATE_LIMITS,
  ...group('Limits', {
    anonymousUnitsPerMinute: units(6_000, 'Compute units per minute of an address without a key.'),
    anonymousUnitsPerDay: units(1_200_000, 'Compute units per day of an address without a key.'),
    keyUnitsPerMinute: units(8_000, 'Compute units per minute of a key without its own limit.'),
    keyUnitsPerDay: units(2_000_000, 'Compute units per day of a key without its own limit.'),
    anonymousRowsPerSecond: rows(
      50_000,
      'Rows that expensive requests of an address without a key may read per second and process.',
    ),
    keyRowsPerSecond: rows(
      1_000_000,
      'Rows that expensive requests of a key may read per second and process.',
    ),
    anonymousConcurrency: concurrency(
      4,
      'Expensive requests in progress per process of an address without a key. Others wait up to 5 seconds.',
    ),
    keyConcurrency: concurrency(8, 'Expensive requests in progress per process of a key.'),
    anonymousStreams: streams(
      20,
      'Open event streams and WebSockets per process of an address without a key; of all addresses in an IPv6 /48, 16 times as many.',
    ),
    keyStreams: streams(100, 'Open event streams and WebSockets per process of a key.'),
    redisUrl: option(Type.text, {
      isSecret: true,
      help: 'URL of Redis, which counts the rate limits of several processes together.',
    }),
  }),
}
