import { int4, int8, type RowsOf, table, text } from '@firn/sql/table'

/** The tables of requests to the Data API with API keys. */
export const API_TABLES = {
  /** Counts of identical requests within one minute. Old minutes are summed to hours. */
  api_usage: table({
    columns: {
      /** Id of the API key. */
      key_id: text,
      /** Start of the minute, or of the hour of old requests, in Unix seconds. */
      minute: int8,
      /** Chain in the path as callers named it; empty if the path has none. */
      chain_id: text,
      /** Path pattern of the endpoint. */
      endpoint: text,
      status: int4,
      /** Duration, of which two digits are kept. */
      milliseconds: int4,
      requests: int8,
      credits: int8,
    },
    primaryKey: ['key_id', 'minute', 'chain_id', 'endpoint', 'status', 'milliseconds'],
    indexes: ['(minute)'],
  }),
  /** The latest requests of each key. */
  api_request: table({
    columns: {
      key_id: text,
      /** Time at which the request ended, in Unix milliseconds. */
      time_ms: int8,
      id: text,
      endpoint: text,
      /** Path without the query. */
      path: text,
      chain_id: text,
      status: int4,
      milliseconds: int4,
      credits: int8,
      /** IP address of the client. This text and the following ones are empty if the service does not store them. */
      address: text,
      host: text,
      user_agent: text,
    },
    primaryKey: ['key_id', 'time_ms', 'id'],
    indexes: ['(time_ms, id)'],
  }),
}

export type ApiDatabase = RowsOf<typeof API_TABLES>
export type ApiUsageRow = ApiDatabase['api_usage']
export type ApiRequestRow = ApiDatabase['api_request']
