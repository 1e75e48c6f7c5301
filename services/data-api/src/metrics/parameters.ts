import * as Parameter from '../front/Parameter.ts'

/** Parameter for the page token. An empty value is ignored. */
export const pageToken = Parameter.optional(
  Parameter.text('nextPageToken of the previous page', (text) => text),
)
