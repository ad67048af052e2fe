/** One output per chosen event, in the order of the document, then one for other actions and one for deviating events, where wanted. */
import { NodeConnectionTypes, type ExpressionString } from 'n8n-workflow';

import { EVENTS } from '../shared/contract/events/kinds';

const LABELS = JSON.stringify(EVENTS.map(({ value, output }) => [value, output]));

/** The expression by which n8n works out the outputs of a node from its parameters. */
export const OUTPUTS: ExpressionString = `={{
	${LABELS}
		.filter(([value]) => ($parameter.events ?? []).includes(value))
		.map(([, displayName]) => ({ type: "${NodeConnectionTypes.Main}", displayName }))
		.concat($parameter.options?.otherActions === "passOn" ? [{ type: "${NodeConnectionTypes.Main}", displayName: "Other" }] : [])
		.concat($parameter.options?.deviations === "ownOutput" ? [{ type: "${NodeConnectionTypes.Main}", displayName: "Deviating" }] : [])
}}`;

const NAMES = JSON.stringify(Object.fromEntries(EVENTS.map(({ value, name }) => [value, name])));

/** What stands under the node on the canvas: the event, when there is only one. */
export const SUBTITLE: ExpressionString = `={{
	($parameter.events ?? []).length === 1 ? ${NAMES}[$parameter.events[0]] : "Access Events"
}}`;
