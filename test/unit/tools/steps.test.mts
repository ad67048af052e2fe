import { runSteps } from '../../../tools/steps/run-steps.mjs';

const silently = async (steps: Parameters<typeof runSteps>[0]) => {
	jest.spyOn(console, 'log').mockImplementation(() => {});
	const told = jest.spyOn(console, 'error').mockImplementation(() => {});
	const results = await runSteps(steps);
	return { results, told: told.mock.calls.flat() };
};

afterEach(() => jest.restoreAllMocks());

const lacking = async () => await Promise.reject(new Error('no room on the disk'));

describe('A run of all tests', () => {
	it('says what could not be installed where it is needed, and counts it as failed', async () => {
		const { results, told } = await silently([{ name: 'e2e', jest: 'test/none', setUp: lacking }]);
		expect(told).toEqual(['no room on the disk']);
		expect(results).toMatchObject([
			{ step: 'e2e', passed: 0, failed: 1, note: expect.stringContaining('installed') },
		]);
	});

	it('ends after what it installs, also where the build did not succeed: nothing is told after its last line', async () => {
		let installed = false;
		const setUp = async () => {
			await new Promise((resolve) => setTimeout(resolve, 50));
			installed = true;
		};
		const { results } = await silently([
			{ name: 'build', jest: 'test/none', setUp: lacking },
			{ name: 'e2e', jest: 'test/none', needsBuild: true, setUp },
		]);
		expect(installed).toBe(true);
		expect(results[1]).toMatchObject({ failed: 1, note: 'left out: the build did not succeed' });
	});
});
