import { Common, group, option, Type } from '@firn/options'
import * as GatewayOptions from './GatewayOptions.ts'

const units = (fallback: number, help: string) =>
  option(Type.integer(0, 999_999_999, 'units'), { default: fallback, help })

/**
 * Options of the REST service; its port has a different name in each command. Units are those of the hosted
 * service.
 */
export const OPTIONS = {
  ...group('HTTP', {
    host: option(Type.host, { default: '127.0.0.1', help: 'Address to listen on.' }),
    prefix: option(Type.text, { help: 'What every path begins with, such as /data.' }),
    metricsPort: option(Type.port, {
      help: 'Serve the Metrics API on this port, instead of beside the Data API.',
    }),
    metricsPrefix: option(Type.text, {
      defaultText: 'as --prefix',
      help: 'What the paths of the Metrics API begin with.',
    }),
    networkAlias: option(Type.text, {
      help: 'Further name of the network in paths, which answers use too.',
    }),
    aggregateStatus: option(Type.choice('200', '201', 'auto'), {
      default: 'auto',
      help: 'Status of a signed message; auto: 201 for the official client, which accepts no other, and 200 for all others.',
    }),
    requestTimeout: option(Type.duration({ bare: 'ms' }), {
      default: 10_000,
      help: 'Longest time of a request, and of its statements on PostgreSQL.',
      former: { timeout: Type.duration({ bare: 'ms' }) },
    }),
    answerCacheBytes: option(Type.bytes, {
      default: 67_108_864,
      help: 'Bytes of answers kept until the next block; 0 keeps none.',
    }),
  }),
  ...Common.PROXIES,
  ...GatewayOptions.RATE_LIMITS,
  ...group('Limits', {
    anonymousUnitsPerMinute: units(6_000, 'Compute units of an address without a key, in a minute.'),
    anonymousUnitsPerDay: units(1_200_000, 'Compute units of an address without a key, in a day.'),
    keyUnitsPerMinute: units(8_000, 'Compute units of a key without limits of its own, in a minute.'),
    keyUnitsPerDay: units(2_000_000, 'Compute units of a key without limits of its own, in a day.'),
    redisUrl: option(Type.text, {
      isSecret: true,
      help: 'Redis that counts the limits of several processes.',
    }),
  }),
}
