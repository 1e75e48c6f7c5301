import type { CrossOrigin } from '@firn/http'

/** What scripts of other origins may send and read. Keys are sent in a header. */
export const RULES: CrossOrigin.Rules = {
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  requestHeaders: ['content-type', 'if-none-match', 'last-event-id', 'x-data-api-key', 'x-glacier-api-key'],
  responseHeaders: [
    'etag',
    'ratelimit-limit',
    'ratelimit-policy',
    'ratelimit-remaining',
    'ratelimit-reset',
    'retry-after',
    'x-compute-units',
    'x-firn-block-time',
    'x-firn-height',
    'x-request-id',
  ],
}
