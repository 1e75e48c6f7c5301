import { ApiKey } from '@firn/http'
import { RequestLog } from '@firn/service-store'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import type { PageTokens } from '../http/endpoint/PageToken.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import type { ApiUsageContext } from './apiUsage.ts'
import { code } from './parameters.ts'
import { dayOf, endOf } from './ranges.ts'
import { ApiLogsBody, ORGANIZATION } from './shapes.ts'
import { FILTERS, visibleKey } from './viewer.ts'

/** Dependencies of the request log. */
export interface ApiLogsContext extends ApiUsageContext {
  readonly tokens: PageTokens
  /** Returns all API keys, whose names the log contains. */
  readonly keys: () => Promise<readonly ApiKey.StoredKey[]>
}

/** `GET /v1/apiLogs`: the latest requests to the Data API with the caller's API key, newest first. */
export function apiLogs({ usage, now, tokens, keys }: ApiLogsContext): Endpoint {
  return define({
    path: '/v1/apiLogs',
    operationId: 'getApiLogs',
    method: 'GET',
    summary: 'The latest requests to the Data API with the caller’s key, newest first',
    tag: 'Usage',
    scope: 'usage',
    units: 200,
    pathParameters: {},
    queryParameters: {
      ...FILTERS,
      responseCode: Parameter.optional(code),
      pageSize: Parameter.integer(1, 100, 10),
      pageToken: Parameter.optional(Parameter.text('a page token', (text) => text)),
    },
    response: ApiLogsBody,
    handle: async ({ query, caller }) => {
      const { pageSize, pageToken, chainId, requestType, requestPath, responseCode } = query
      const to = endOf(query, now)
      const from = query.startTimestamp === undefined ? 0n : dayOf(query.startTimestamp)
      const keyId = await visibleKey(caller, query.apiKeyId)
      const filters = [keyId, chainId, requestType, requestPath, responseCode].map((value) => value ?? null)
      const list = `api logs ${JSON.stringify([...filters, String(from)])}`
      const token = pageToken === undefined || pageToken === '' ? undefined : tokens.open(list, pageToken)
      const [time, id = ''] = token?.after ?? []
      const rows =
        usage === undefined || requestType === 'rpc'
          ? []
          : await RequestLog.page(usage, {
              ...{ from: from * 1_000n, to: to * 1_000n + 999n, keyId, chainId },
              ...{ status: responseCode, path: requestPath, limit: pageSize + 1 },
              after: time === undefined ? undefined : { time: BigInt(time), id },
            })
      const page = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? page.at(-1) : undefined
      const names = new Map((await keys()).map((key) => [ApiKey.id(key), key.name]))
      return {
        body: {
          nextPageToken:
            last && tokens.seal(list, { at: [], after: [String(last.time_ms), last.id], query: {} }),
          orgId: ORGANIZATION,
          logs: page.map((row) => entry(row, names.get(row.key_id))),
        },
      }
    },
  })
}

function entry(row: RequestLog.ApiRequestRow, alias = '') {
  return {
    orgId: ORGANIZATION,
    logId: row.id,
    eventTimestamp: row.time_ms / 1_000n,
    apiKeyId: row.key_id,
    apiKeyAlias: alias,
    hostRegion: '',
    requestType: 'data',
    requestPath: row.path,
    apiCreditsConsumed: row.credits,
    requestDurationMsecs: row.milliseconds,
    responseCode: row.status,
    chainId: row.chain_id === '' ? undefined : row.chain_id,
    metadata: { ipAddress: row.address, host: row.host, userAgent: row.user_agent },
  }
}
