import type { IncomingMessage, ServerResponse } from 'node:http'
import { TrustedProxies } from '@firn/http'
import { expect, test } from 'vitest'
import * as Apis from './Apis.ts'
import * as CallerLimits from './CallerLimits.ts'

const serve = (remoteAddress: string, forwarded: string | undefined, options: TrustedProxies.Options) => {
  let wasServed = false
  const statuses: number[] = []
  const target = {
    handle: () => {
      wasServed = true
    },
  }
  const request = {
    ...{ socket: { remoteAddress }, httpVersionMajor: 1, httpVersionMinor: 1 },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }
  const response = { writeHead: (status: number) => statuses.push(status), end: () => undefined }
  Apis.loopbackOnly(target, TrustedProxies.create(options)).handle({
    request: request as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    headers: [],
    bodies: { held: 0 },
    budget: CallerLimits.UNLIMITED,
  })
  return { wasServed, statuses }
}

test.each<[string, string | undefined, TrustedProxies.Options, boolean]>([
  ['127.0.0.1', undefined, {}, true],
  ['127.8.9.1', undefined, {}, true],
  ['::1', undefined, {}, true],
  ['::ffff:127.0.0.1', undefined, {}, true],
  ['::ffff:10.0.0.1', undefined, {}, false],
  ['10.0.0.1', undefined, {}, false],
  ['1127.0.0.1', undefined, {}, false],
  ['fe80::1', undefined, {}, false],
  ['', undefined, {}, false],
  ['10.0.0.1', '127.0.0.1', {}, false],
  ['127.0.0.1', '203.0.113.9', { proxies: 1 }, false],
  ['127.0.0.1', '127.0.0.1, 203.0.113.9', { proxies: 1 }, false],
  ['127.0.0.1', '203.0.113.9, 127.0.0.1', { proxies: 1 }, false],
  ['127.0.0.1', '127.0.0.1, 203.0.113.9', { trustedProxies: ['127.0.0.1'] }, false],
  ['10.0.0.1', '127.0.0.1', { trustedProxies: ['127.0.0.1'] }, false],
  ['10.0.0.1', 'garbage', { trustedProxies: ['10.0.0.0/8'] }, false],
])(
  'decides whether a caller is local by address %j, forwarded address %j and proxy options %j: %j',
  (...given) => {
    const [remoteAddress, forwarded, options, expected] = given
    const { wasServed, statuses } = serve(remoteAddress, forwarded, options)
    expect(wasServed).toBe(expected)
    expect(statuses).toEqual(expected ? [] : [404])
  },
)
