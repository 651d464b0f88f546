import { readTopic, readTopics, type Texts } from './language.ts'

export const PT: Texts = {
  topics: readTopics(`
    goods
    ? Tem em estoque?
    ? Tem à pronta entrega?
    ? Quero comprar {the}, está disponível?
    ? Posso comprar? Ainda tem?
    ? Quantas unidades vocês têm?
    ? Tem mesmo em estoque? Da última vez cancelaram minha compra :(
    = Temos sim, à pronta entrega. Pode comprar!
    = Sim, temos {n} unidades em estoque.
    = Enquanto o anúncio estiver ativo temos em estoque, atualizamos todos os dias.
    = Disponível! Comprando até as 13h despachamos no mesmo dia.

    parcel
    ? Quanto tempo demora para chegar em {city}?
    ? Comprando hoje chega quando em {city}?
    ? Preciso para um presente de aniversário, em quantos dias chega em {city}?
    ? Qual o prazo de entrega para {city}?
    ? Sou de {city}, chega até sexta da semana que vem?
    = Para {city} o prazo é de uns {days} dias úteis. A data certa aparece antes do pagamento.
    = Despachamos no mesmo dia; para {city} costuma levar {days} dias úteis.
    = Em {city} chega em torno de {days} dias úteis, mas confirme com o seu CEP no anúncio.

    parcel
    ? Vocês enviam para {city}?
    ? O frete para {city} é grátis?
    ? Quanto fica o frete para {city}?
    ? Coloco meu CEP de {city} e não calcula o frete, vocês entregam aqui?
    = Enviamos para todo o Brasil. O frete para {city} aparece ao informar o CEP.
    = Entregamos em {city} sim! O valor do frete é calculado no anúncio, antes de pagar.
    = Sim, {city} também. Se o site não calcular, avise que verificamos.

    flex
    ? Comprando agora chega hoje? Estou em {hood}.
    ? É Flex? Entrega hoje em {hood}?
    ? Até que horas preciso comprar para receber hoje em {hood}?
    = Sim! Pelo Flex, comprando até as 14h entregamos hoje em {hood}. Depois disso, amanhã.
    = Em {hood} entregamos no mesmo dia, de segunda a sábado, para compras até as 14h.
    = Chega hoje entre 16h e 21h se a compra entrar até as 14h. {Hood} está na nossa rota.

    bulky
    ? Como funciona a entrega em {city}? Sobem escada?
    ? Quanto fica o frete até {city}? Moro no terceiro andar sem elevador.
    ? Entregam em {city} com hora marcada?
    = Para {city} vai por transportadora, com agendamento depois da compra. A entrega é no térreo.
    = O frete para {city} é cotado à parte conforme o endereço; subir escada tem um adicional por andar.

    goods
    ? Acompanha nota fiscal?
    ? Emitem nota fiscal no CNPJ?
    ? Vem com nota? É para a empresa.
    ? Consegue colocar meu CPF na nota fiscal?
    = Sim, todos os produtos vão com nota fiscal, no CPF ou no CNPJ.
    = Enviamos com nota fiscal. Para CNPJ, mande os dados por mensagem logo depois da compra.
    = Com certeza, a nota fiscal eletrônica chega no seu e-mail no dia do envio.

    goods, classified
    ? Qual o menor preço?
    ? Faz por {offer}?
    ? Tem desconto no Pix?
    ? Consegue melhorar o valor? Ofereço {offer} à vista
    ? Fecho agora por {offer} <3
    ? Vi mais barato em outro anúncio, cobre {offer}?
    = O preço do anúncio já é o melhor que conseguimos fazer.
    = No momento não temos margem para desconto, contamos com a compreensão.
    = Infelizmente não conseguimos baixar. No fim do mês costumamos ter promoção!

    goods
    ? Fazem preço no atacado?
    ? Preciso de {n} unidades para uma escola, tem desconto?
    ? Levando mais de 10 muda o valor?
    ? Tenho loja, vocês vendem para revenda?
    = A partir de 10 unidades damos {percent}% de desconto; informe a quantidade que criamos um anúncio.
    = Para quantidade fazemos {percent}% a menos, a partir de 10 peças.
    = Por enquanto só por unidade, mas a partir de 10 conseguimos bonificar o frete.

    goods
    ? Posso retirar no local?
    ? Vocês ficam onde? Para mim seria bom em {hood}.
    ? Tem loja física para ver o produto?
    ? Dá para retirar no sábado?
    = Retirada em {pickup}, de segunda a sexta das 10h às 18h e aos sábados até as 13h, com a compra já feita.
    = Pode sim, em {pickup}. Escolha a retirada na hora da compra que o endereço chega por lá.
    = Não temos loja aberta ao público, mas há um ponto de retirada em {pickup}, inclusive sábado de manhã.

    gadget, kitchen, carpart, furniture, sport
    ? Tem garantia?
    ? Qual o tempo de garantia e quem responde por ela?
    ? Se vier com defeito, como funciona a garantia?
    ? A garantia é da fábrica ou da loja?
    = São {months} meses de garantia, diretamente com a gente.
    = Sim, {months} meses contra defeito de fabricação. Guarde a nota fiscal.
    = Garantia de {months} meses: deu defeito, trocamos sem custo.

    goods
    ? É novo, na caixa?
    ? As fotos são reais?
    ? É igualzinho ao da foto ou pode vir outro modelo?
    ? Vem lacrado? O último que comprei veio aberto.
    = Tudo o que vendemos é novo, na embalagem original, igual às fotos.
    = Sim, as fotos são nossas. Produto novo e lacrado.
    = É exatamente o do anúncio, novo e sem uso.

    gadget, kitchen, carpart
    ? O que vem na caixa? A ficha diz "acessórios" & mais nada
    ? Vem com tudo o que aparece nas fotos?
    ? Acompanha manual em português?
    = Vem tudo o que aparece na primeira foto, com manual em português.
    = Sim, completo: produto, acessórios e manual. O resto das fotos é decoração.

    goods
    ? Parcela em quantas vezes sem juros?
    ? Aceita Pix?
    ? Não aparece o parcelamento sem juros para mim, tiraram?
    ? Dá para dividir em dois cartões?
    = As formas de pagamento são as que aparecem no anúncio; no cartão, até {few}x sem juros. Pix também!
    = Depende do cartão: hoje está em até {few}x sem juros. Pix, boleto e cartão, tudo por aqui mesmo.

    clothing, shoes, home, gadget
    ? Se não servir, posso trocar?
    ? Como funciona a troca?
    ? É para presente, depois dá para trocar?
    = Pode sim, a troca é em até 30 dias, sem uso e com etiqueta.
    = Troca ou devolução em até 30 dias, direto pela sua compra.

    sized
    ? Tem {size}?
    ? Tem o {size} em {colour}?
    ? Ainda tem tamanho {size}?
    ? Procuro o {size}, mas não aparece nas opções
    = Temos o {size} em {colour} e {colour2}.
    = No {size} restam {few} peças, é só escolher a opção no anúncio.
    = No {size} só ficou {colour}. Semana que vem chega mais.
    = No momento estamos sem o {size}, desculpe. A reposição chega na quinta.

    sized
    ? A forma é pequena? Uso {size}.
    ? Normalmente uso {size}, peço o mesmo ou um maior?
    ? Qual tamanho me indicam? Tenho 1,68 m e fico na dúvida entre o {size} e o seguinte.
    ? Tem tabela de medidas?
    = A forma é normal: se você usa {size}, pode pedir {size}.
    = Na última foto está a tabela em centímetros; na dúvida entre dois, vá no maior.
    = Pela tabela da última foto, o ideal é o {size}.

    colour
    ? Tem na cor {colour}?
    ? Quais cores tem?
    ? Vem em {colour} ou só na cor da foto?
    ? O {colour} é igual ao da foto mesmo?
    ? Tem {colour}? Se não tiver, {colour2} também serve.
    = Temos {colour} e {colour2}, é só escolher antes de pagar.
    = Disponível em {colour} e {colour2}; a cor é a das fotos, feitas com luz natural.
    = Em {colour} restam {few} unidades. Em {colour2} temos mais.

    material
    ? Qual o material?
    ? É resistente? É feito de quê?
    ? Desbota ou descasca com o tempo?
    ? Como faz para limpar?
    = É o material que está no título, de boa qualidade. Para limpar, pano úmido e sabão neutro.
    = Muito resistente: trabalhamos com ele há anos e quase não temos reclamação. Não desbota nem descasca.

    measured
    ? Quais as medidas?
    ? Quanto mede de largura e de altura?
    ? Cabe em um espaço de {cm} cm?
    ? Pode passar as medidas certinhas? Comprimento x largura x altura
    = As medidas exatas estão na última foto, lado por lado.
    = Estão na ficha técnica: comprimento × largura × altura. Medimos tudo antes de anunciar.

    phone
    ? Funciona com qualquer celular?
    ? É compatível com celular mais antigo?
    ? O cabo é USB-C?
    ? Serve para tablet também?
    = Sim, é compatível com todos os celulares e tablets atuais; o cabo é USB-C.
    = Funciona com qualquer aparelho com Bluetooth ou USB-C, não precisa instalar nada.

    computer
    ? Serve para notebook de 15" & 17"?
    ? É compatível com notebook de 15,6"?
    ? Funciona em qualquer sistema operacional?
    ? É só conectar ou precisa instalar <drivers>?
    = Sim, serve para qualquer notebook de até 17", sem instalar nada.
    = Compatível com todos os sistemas: é só conectar no USB e usar.

    electric
    ? É 110 ou 220?
    ? É bivolt?
    ? A tomada é padrão novo?
    ? Gasta muita energia? Quantos watts?
    = É {volts} automático, com tomada no padrão brasileiro. Os watts estão na ficha, consome pouco.
    = {Volts}! Já vai com cabo e tomada de três pinos. Baixo consumo.

    carpart
    ? Serve em {vehicle}?
    ? Tenho {vehicle}, serve?
    ? É compatível com {vehicle}?
    ? Para {vehicle} é essa a medida certa?
    = Serve sim, em {vehicle} encaixa perfeitamente.
    = Pode comprar, é compatível com {vehicle}. Mesmo assim vale comparar com a peça atual.
    = Para {vehicle} há duas versões: passe os últimos 8 dígitos do chassi que confirmamos.
    = Em {vehicle} não serve, a medida é outra e no momento não trabalhamos com ela.

    furniture
    ? Vem montado?
    ? É fácil de montar? Moro sozinha e não tenho furadeira 😅
    ? A montagem está inclusa?
    = Vai desmontado, com ferragens e manual. Monta-se em uma hora só com chave de fenda.
    = Vai na caixa para montar. Montagem em domicílio é cobrada à parte, só em {pickup} e região.

    vehicle
    ? Documentação em dia?
    ? IPVA pago?
    ? Tem multas ou alguma dívida?
    ? Está no seu nome? Pronto para transferir?
    = Documento em dia, no meu nome, sem multas nem dívidas.
    = IPVA pago, sem multas, pronto para transferir.

    vehicle
    ? Aceita troca?
    ? Pega {vehicle} na troca? Volto a diferença.
    ? Tenho {vehicle}, tem interesse em troca?
    = No momento só venda, sem troca.
    = Depende: mande ano, quilometragem e fotos que avaliamos.

    vehicle
    ? Quantos donos teve? Já bateu?
    ? A quilometragem é real?
    ? Tem algum detalhe no motor ou na lataria?
    ? As revisões estão em dia?
    = Único dono, sem batidas, quilometragem real e todas as revisões no manual.
    = Só detalhes de uso, dá para ver nas fotos 6 e 7. Motor impecável, quilometragem real.

    vehicle
    ? Financia?
    ? Dá para financiar com entrada de metade?
    ? Aceita consórcio ou carta de crédito?
    = Financiamos até 50% pelo banco, sujeito a análise de crédito.
    = Sim, com metade de entrada o restante em até 36 vezes, com aprovação do banco.

    vehicle, flat
    ? Quando posso ver?
    ? Fica em que bairro?
    ? Dá para visitar no fim de semana?
    ? Ainda disponível? Queria ver amanhã.
    = Ainda disponível! Fica em {pickup}, visitas de segunda a sábado com hora marcada.
    = Está em {pickup}. Sábado das 10h às 13h dá para ver com calma.

    flat
    ? Quanto é o condomínio?
    ? O valor já inclui condomínio e IPTU?
    ? O que é pago à parte?
    = O valor do anúncio não inclui condomínio nem IPTU; luz e internet também à parte.
    = Água inclusa. Condomínio e IPTU são à parte, uns {percent}% a mais.

    flat
    ? Aceita pet?
    ? Tenho uma gatinha muito tranquila 🐱, tem problema?
    ? Somos um casal e um cachorro pequeno, pode?
    = Aceita sim, animais de pequeno porte.
    = O condomínio permite, só pedimos cuidado nas áreas comuns.

    flat
    ? O que precisa para alugar?
    ? Precisa de fiador?
    ? Sou autônomo, o que serve como comprovante?
    ? Quanto de caução?
    = Pedimos fiador ou seguro-fiança e os três últimos comprovantes de renda.
    = Um mês de caução ou seguro-fiança. Para autônomo serve o extrato bancário dos últimos meses.

    flat
    ? Tem vaga de garagem?
    ? Quantos metros e qual andar?
    ? É de frente? Bate sol?
    = São {cm} m² no quarto andar com elevador, de frente, bem claro. Vaga opcional.
    = Quarto andar de frente, sol da manhã, {cm} m². A vaga é à parte.
  `),
  bought: readTopic(`
    parcel
    ? Já comprei, quando vocês enviam?
    ? Acabei de comprar, confirma que sai hoje?
    ? Comprado! Podem passar o código de rastreio?
    ? Comprei ontem e ainda está em preparação, está tudo certo?
    = Obrigado pela compra! Sai no próximo envio e o rastreio aparece nos detalhes da compra.
    = Já está embalado, sai na próxima coleta. O rastreio atualiza sozinho. Obrigado!
    = Recebemos, obrigado! Está a caminho; qualquer coisa, melhor pelas mensagens da compra.
  `),
  followUps: [
    'Obrigado por responder.',
    'Desculpa incomodar de novo.',
    'Ótimo, obrigada. Outra coisa:',
    'Ok, valeu! E mais uma:',
    'Última dúvida:',
    'Show.',
  ],
  mistaken: [
    'desculpa, anuncio errado',
    'Oi mãe, olha esse, gostou? Ih, mandei no lugar errado 😂',
    'Perdão, a pergunta era para outro vendedor.',
    'asdasd',
    'teste',
    'Pode ignorar a pergunta anterior, já vi na descrição',
  ],
  spam: [
    'Vendo o mesmo mais barato por fora, anota aí: 95555-0199',
    'Seguidores & visitas para o seu anúncio, resultado em 24h!!! www.example.com/promo',
    'GANHE DINHEIRO EM CASA 💸💸 escreva para negocios@example.org',
    'Fechamos por fora e economizamos a comissão? Meu e-mail é trato@example.net',
    'Pago no Pix direto, sem passar por aqui, manda a chave e fechamos <urgente>',
  ],
  moderated: [
    'Me passa um telefone para combinar? O meu é 95555-0142',
    'Manda mais fotos em compras@example.com?',
    'Vocês têm site próprio? Quero ver o catálogo inteiro',
    'Da outra vez mandaram tudo errado, uma vergonha. Esse vem certo?',
  ],
  colours: ['preto', 'branco', 'azul', 'cinza', 'verde', 'vermelho', 'bege'],
  vehicles: [
    'um sedã 1.6 2014',
    'um hatch 1.0 2012',
    'uma picape 4x4 2018',
    'um utilitário 2016',
    'um sedã 2.0 2009',
    'uma perua 2011',
  ],
  // Hurried Brazilians leave out tildes too, but keep the cedilla.
  accents: /[\u0300-\u0303]/g,
}
