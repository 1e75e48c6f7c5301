import * as Parameter from '../front/Parameter.ts'

/** The token of a page; an empty one is ignored. */
export const pageToken = Parameter.optional(
  Parameter.text('nextPageToken of the previous page', (text) => text),
)
