/** Client Registration: Validate, which asks nobody. */
import { runNode } from '../support/engine.mts';

test('A logo that n8n cannot give fails the item, and nobody is told that something may be done', async () => {
	const logo = { id: 'filesystem-v2:gone', data: 'filesystem-v2', mimeType: 'image/svg+xml' };
	const { outputs } = await runNode({
		parameters: {
			...{ resource: 'clientRegistration', operation: 'validate' },
			...{ applicationName: 'Reading Club', applicationDescription: 'Books for every class' },
			...{ logoSvgField: 'logoSvg', logoPngField: 'logoPng', mainColor: '#112233' },
			...{ accessProfiles: ['student'], redirectUris: 'https://app.example/callback' },
			...{ defaultRedirectUri: 'https://app.example/callback', logoutUri: 'https://app.example/logout' },
		},
		inputs: [{ json: {}, binary: { logoSvg: { ...logo, fileName: 'reading.svg' } } }],
		onError: 'continueErrorOutput',
	});
	const [{ error, failure }] = outputs[1].map(({ json }) => json);
	expect(failure).toMatchObject({ origin: 'n8n', effect: 'none' });
	expect(error).toContain('Nothing was sent for this item.');
	expect(error).not.toContain('may be done');
});
