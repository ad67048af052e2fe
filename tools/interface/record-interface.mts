/** `npm run interface`: writes down what is new in the package's interface; refuses when something is gone or has changed. */
import { compareInterfaces, nextStepFor } from './interface.mts';
import { currentInterface, readPublishedInterface, writePublishedInterface } from './published-interface.mts';

const current = currentInterface();
const difference = compareInterfaces(readPublishedInterface(), current);
const { gone, added } = difference;
if (gone.length > 0) {
	console.error(`Saved workflows depend on this, and the code no longer has it:\n\n${gone.join('\n')}\n`);
	console.error(nextStepFor(difference));
	process.exitCode = 1;
} else {
	writePublishedInterface(current);
	console.log(added.length === 0 ? 'Nothing is new.' : `Written down:\n\n${added.join('\n')}`);
}
