// Scripts/make-registry wrote this file from the public suffix list, which is available under the Mozilla Public License 2.0
// (https://publicsuffix.org, https://mozilla.org/MPL/2.0/), and from Scripts/registry-differences.txt. Do not edit it.

extension DomainRegistry {
    /// The tree of labels. The top-level domains come first. The labels below a label follow it in parentheses.
    ///
    /// A label with a `?` after it is not a rule. A label with a `!` before it is an exception from a wildcard. A top-level domain with a
    /// `~` before it is unknown to TrustKit for Android. One with a `^` before it is known only to TrustKit for Android.
    static let table = """
        aaa aarp ~abarth abb abbott abbvie ~abc ~able abogado abudhabi ac(com edu gov mil net org) academy(official) accenture
        accountant accountants aco active actor ad(nom) adac ads adult ae(ac blogspot co gov mil net nom org sch) aeg
        aero(accident-investigation accident-prevention aerobatic aeroclub aerodrome agents air-surveillance air-traffic-control
        aircraft airline airport airtraffic ambulance amusement association author ballooning broker caa cargo catering certification
        championship charter civilaviation club conference consultant consulting control council crew design dgca educator emergency
        engine engineer entertainment equipment exchange express federation flight freight fuel gliding government groundhandling group
        hanggliding homebuilt insurance journal journalist leasing logistics magazine maintenance media microlight modelling navigation
        parachuting paragliding passenger-association pilot press production recreation repbody res research rotorcraft safety scientist
        services show skydiving software student trader trading trainer union workinggroup works) ~aetna af(com edu gov net nom org)
        ~afamilycompany afl ~africa ag(co com net nom org) agakhan agency ai(com net nom off org) aig ~aigo ~airbus airforce airtel akdn
        al(blogspot com edu gov mil net nom org) ~alfaromeo alibaba alipay allfinanz ~allstate ally alsace ~alstom am(blogspot)
        ~americanexpress ~americanfamily ~amex ~amfam amica amsterdam analytics android anquan ~anz ao(co ed gv it og pb) ~aol
        apartments app(hasura) apple aq aquarelle ar(com(blogspot) edu gob gov int mil musica net org tur) ~arab aramco archi army
        arpa(e164 in-addr ip6 iris uri urn) ~art arte as(gov) ~asda asia(cloudns) associates at(12hp 2ix 4lima ac biz co(blogspot)
        futurecms?(* ex?(*) in?(*)) futurehosting futuremailing gv info lima-city or ortsinfo?(ex?(*) kunden?(*)) priv) ~athleta
        attorney au(act asn com(blogspot) conf edu(act nsw nt qld sa tas vic wa) gov(qld sa tas vic wa) id info net nsw nt org oz qld sa
        tas vic wa) auction audi ~audible audio ~auspost author auto autos avianca aw(com) aws ax axa az(biz com edu gov info int mil
        name net org pp pro) azure ba(blogspot com edu gov mil net org) baby baidu ~banamex ~bananarepublic band bank bar barcelona
        barclaycard barclays barefoot bargains ~baseball ~basketball bauhaus bayern bb(biz co com edu gov info net org store tv) bbc
        ~bbt bbva bcg bcn bd?(*) be(ac blogspot transurl?(*) webhosting) beats ~beauty beer bentley berlin best ~bestbuy bet bf(gov)
        bg(0 1 2 3 4 5 6 7 8 9 a b barsy blogspot c d e f g h i j k l m n o p q r s t u v w x y z) bh(com edu gov net org) bharti bi(co
        com edu or org) bible bid bike bing bingo bio biz(cloudns dscloud dyndns for-better for-more for-some for-the mmafan myftp no-ip
        selfip webhop) bj(asso barreau blogspot gouv) black blackfriday ~blanco ~blockbuster ~blog bloomberg blue bm(com edu gov net
        org) bms bmw bn?(*) bnl bnpparibas bo(academia agro arte blog bolivia ciencia com cooperativa democracia deporte ecologia
        economia edu empresa gob indigena industria info int medicina mil movimiento musica natural net nombre noticias org patria
        plurinacional politica profesional pueblo revista salud tecnologia tksat transporte tv web wiki) boats boehringer ~bofa bom bond
        boo book ~booking ^boots bosch bostik ~boston bot boutique ~box br(9guacu abc adm adv agr aju am anani aparecida arq art ato b
        barueri belem bhz bio blog bmd boavista bsb campinagrande campinas caxias cim cng cnt com(blogspot) contagem coop cri cuiaba
        curitiba def ecn eco edu emp eng esp etc eti far feira flog floripa fm fnd fortal fot foz fst g12 ggf goiania gov(ac al am ap ba
        ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs sc se sp to) gru imb ind inf jab jampa jdf joinville jor jus leg(ac al am
        ap ba ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs sc se sp to) lel londrina macapa maceio manaus maringa mat med mil
        morena mp mus natal net niteroi nom?(*) not ntr odo org osasco palmas poa ppg pro psc psi pvh qsl radio rec recife ribeirao rio
        riobranco riopreto salvador sampa santamaria santoandre saobernardo saogonca sjc slg slz sorocaba srv taxi teo the tmp trd tur
        tv udi vet vix vlog wiki zlg) bradesco bridgestone broadway broker brother brussels bs(com edu gov net org we) bt(com edu gov
        net org) budapest bugatti build builders business buy buzz bv bw(co org) by(com(blogspot) gov mil nym of) bz(com edu gov net nym
        org za) bzh ca(ab awdev?(*) bc blogspot co gc mb nb nf nl no-ip ns nt nu on pe qc sk yk) cab cafe cal call ~calvinklein ~cam
        camera camp cancerresearch canon capetown capital ~capitalone car caravan cards care career careers cars cartier casa ~case
        ~caseih cash casino cat catering ~catholic cba cbn ~cbre ~cbs cc(cloudns fantasyleague ftpaccess game-server myphotos scrapping
        twmail) cd(gov) ceb center ceo cern cf(blogspot) cfa cfd cg ch(12hp 2ix 4lima blogspot dnsking gotdns lima-city linkyard-cloud
        square7) chanel channel ~charity chase chat cheap ~chintai ^chloe christmas chrome ~chrysler church ci(ac asso co com ed edu go
        gouv int md net or org presse xn--aroport-bya) cipriani circle cisco ~citadel ~citi citic city cityeats ck?(* !www) cl(blogspot
        co gob gov mil nom) claims cleaning click clinic clinique clothing cloud(linkyard magentosite?(*) sensiosite?(*) statics?(*)
        trafficplex vapor) club(barsy cloudns) clubmed cm(co com gov net) cn(ac ah bj com(amazonaws?(cn-north-1?(s3) compute?(*)
        eb?(cn-north-1) elb?(*))) cq edu fj gd gov gs gx gz ha hb he hi hk hl hn jl js jx ln mil mo net nm nx org qh sc sd sh sn sx tj
        tw xj xn--55qx5d xn--io0a7i xn--od0alg xz yn zj) co(arts com(blogspot) edu firm gov info int mil mypi n4t net nodum nom org
        otap?(*) rec web) coach codes coffee college cologne com(001www 0emm?(*) 1kapp 3utilities 4u africa alpha-myqnapcloud
        amazonaws?(ap-northeast-1?(dualstack?(s3)) ap-northeast-2?(dualstack?(s3) s3 s3-website) ap-south-1?(dualstack?(s3) s3
        s3-website) ap-southeast-1?(dualstack?(s3)) ap-southeast-2?(dualstack?(s3)) ca-central-1?(dualstack?(s3) s3 s3-website)
        compute?(*) compute-1?(*) elb?(*) eu-central-1?(dualstack?(s3) s3 s3-website) eu-west-1?(dualstack?(s3))
        eu-west-2?(dualstack?(s3) s3 s3-website) eu-west-3?(dualstack?(s3) s3 s3-website) s3 s3-ap-northeast-1 s3-ap-northeast-2
        s3-ap-south-1 s3-ap-southeast-1 s3-ap-southeast-2 s3-ca-central-1 s3-eu-central-1 s3-eu-west-1 s3-eu-west-2 s3-eu-west-3
        s3-external-1 s3-fips-us-gov-west-1 s3-sa-east-1 s3-us-east-2 s3-us-gov-west-1 s3-us-west-1 s3-us-west-2
        s3-website-ap-northeast-1 s3-website-ap-southeast-1 s3-website-ap-southeast-2 s3-website-eu-west-1 s3-website-sa-east-1
        s3-website-us-east-1 s3-website-us-west-1 s3-website-us-west-2 sa-east-1?(dualstack?(s3)) us-east-1(dualstack?(s3))
        us-east-2?(dualstack?(s3) s3 s3-website)) appchizi applinzi appspot ar barsycenter barsyonline betainabox bitballoon blogdns
        blogspot blogsyte bloxcms bounty-full(alpha beta) bplaced br cechire ciscofreak cloudcontrolapp cloudcontrolled cn co codespot
        damnserver dattolocal dattorelay dattoweb ddnsfree ddnsgeek ddnsking ddnslive de dev-myqnapcloud ditchyourip dnsalias dnsdojo
        dnsiskinky doesntexist dontexist doomdns drayddns dreamhosters dsmynas dyn-o-saur dynalias dyndns-at-home dyndns-at-work
        dyndns-blog dyndns-free dyndns-home dyndns-ip dyndns-mail dyndns-office dyndns-pics dyndns-remote dyndns-server dyndns-web
        dyndns-wiki dyndns-work dynns elasticbeanstalk(ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-southeast-1
        ap-southeast-2 ca-central-1 eu-central-1 eu-west-1 eu-west-2 eu-west-3 sa-east-1 us-east-1 us-east-2 us-gov-west-1 us-west-1
        us-west-2) est-a-la-maison est-a-la-masion est-le-patron est-mon-blogueur eu evennode?(eu-1 eu-2 eu-3 eu-4 us-1 us-2 us-3 us-4)
        familyds fastvps-server fbsbx?(apps) firebaseapp firewall-gateway flynnhub freebox-os freeboxos from-ak from-al from-ar from-ca
        from-ct from-dc from-de from-fl from-ga from-hi from-ia from-id from-il from-in from-ks from-ky from-ma from-md from-mi from-mn
        from-mo from-ms from-mt from-nc from-nd from-ne from-nh from-nj from-nm from-nv from-oh from-ok from-or from-pa from-pr from-ri
        from-sc from-sd from-tn from-tx from-ut from-va from-vt from-wa from-wi from-wv from-wy gb geekgalaxy getmyip giize
        githubusercontent gleeze googleapis googlecode gotdns gotpantheon gr health-carereform herokuapp herokussl hk hobby-site
        homelinux homesecuritymac homesecuritypc homeunix hu iamallama is-a-anarchist is-a-blogger is-a-bookkeeper is-a-bulls-fan
        is-a-caterer is-a-chef is-a-conservative is-a-cpa is-a-cubicle-slave is-a-democrat is-a-designer is-a-doctor
        is-a-financialadvisor is-a-geek is-a-green is-a-guru is-a-hard-worker is-a-hunter is-a-landscaper is-a-lawyer is-a-liberal
        is-a-libertarian is-a-llama is-a-musician is-a-nascarfan is-a-nurse is-a-painter is-a-personaltrainer is-a-photographer
        is-a-player is-a-republican is-a-rockstar is-a-socialist is-a-student is-a-teacher is-a-techie is-a-therapist is-an-accountant
        is-an-actor is-an-actress is-an-anarchist is-an-artist is-an-engineer is-an-entertainer is-certified is-gone is-into-anime
        is-into-cars is-into-cartoons is-into-games is-leet is-not-certified is-slick is-uberleet is-with-theband isa-geek isa-hockeynut
        issmarterthanyou jdevcloud joyent?(cns?(*)) jpn kozow kr likes-pie likescandy lmpm?(app) logoip loseyourip meteorapp(eu) mex
        miniserver myactivedirectory myasustor mydatto mydrobo myiphost myqnapcloud myravendb mysecuritycamera myshopblocks mytuleap
        myvnc neat-url net-freaks netlify nfshost no on-aptible onthewifi ooguy operaunite outsystemscloud ownprovider pagefrontapp
        pagespeedmobilizer pgfog pixolino point2this prgmr?(xen) publishproxy qa2 qc quicksytes quipelements?(*) rackmaze remotewd
        rhcloud ru sa saves-the-whales scrysec securitytactics selfip sells-for-less sells-for-u servebbs servebeer servecounterstrike
        serveexchange serveftp servegame servehalflife servehttp servehumour serveirc servemp3 servep2p servepics servequake
        servesarcasm simple-url sinaapp space-to-rent stufftoread teaches-yoga temp-dns theworkpc townnews-staging uk unusualperson us
        uy vipsinaapp withgoogle withyoutube workisboring wpdevcloud writesthisblog xenapponazure xnbay(u2 u2-local) yolasite za)
        ~comcast commbank community(ravendb) company compare computer comsec condos construction consulting contact contractors cooking
        ~cookingchannel cool(de) coop corsica country coupon coupons courses cr(ac co ed fi go or sa) credit creditcard creditunion
        cricket crown crs ~cruise cruises csc cu(com edu gov inf net org) cuisinella cv(blogspot) cw(com edu net org) cx(ath gov info)
        cy(ac biz com(blogspot) ekloges gov ltd name net org parliament press pro tm) cymru cyou cz(blogspot co e4 metacentrum?(cloud
        custom) muni?(cloud?(flt usr)) realm) dabur dad dance ~data date dating datsun day dclk ~dds de(12hp 2ix 4lima barsy blogspot
        bplaced com cosidns?(dyn) dd-dns ddnss(dyn dyndns) dnshome dnsupdater dray-dns draydns dyn-ip24 dyn-vpn dynamisches-dns dyndns1
        dynvpn firewall-gateway fuettertdasnetz git-repos goip home-webserver(dyn) internet-dns isteingeek istmein keymachine l-o-g-i-n
        lcube-server lebtimnetz leitungsen lima-city logoip mein-iserv mein-vigor my-gateway my-router my-vigor my-wan myhome-server
        spdns speedpartner?(customer) square7 svn-repos syno-ds synology-diskstation synology-ds taifun-dns test-iserv traeumtgerade
        uberspace?(*) virtual-user virtualuser) ~deal dealer deals degree delivery dell deloitte delta democrat dental dentist desi
        design dev ~dhl diamonds diet digital direct(fastpanel) directory discount ~discover ~dish ~diy dj dk(biz blogspot co firm reg
        store) dm(com edu gov net org) dnp do(art com edu gob gov mil net org sld web) docs ~doctor ~dodge dog doha domains ~dot
        download drive ~dtv dubai ~duck ~dunlop ~duns ~dupont durban dvag ~dvr dz(art asso com edu gov net org pol) earth eat ec(com edu
        fin gob gov info k12 med mil net org pro) ~eco edeka edu education ee(aip com(blogspot) edu fie gov lib med org pri riik)
        eg(com(blogspot) edu eun gov mil name net org sci) email emerck energy engineer engineering enterprises ~epost epson equipment
        er?(*) ~ericsson erni es(com(blogspot) edu gob nom org) esq estate(compute?(*)) ~esurance et(biz com edu gov info name net org)
        ~etisalat eu(barsy cloudns diskstation mycd spdns transurl?(*) wellbeingzone) eurovision eus(party?(user)) events everbank
        exchange expert exposed express extraspace fage fail fairwinds faith(ybo) family fan fans farm(storj) ~farmers fashion fast
        ~fedex feedback ~ferrari ferrero fi(aland blogspot dy iki) ~fiat ~fidelity ~fido film final finance financial ~fire firestone
        firmdale fish fishing fit(ptplus) fitness fj?(*) fk?(*) flickr flights ~flir florist flowers ^flsmidth fly fm fo foo ~food
        ~foodnetwork football ford forex forsale forum foundation fox fr(aeroport assedic asso avocat avoues blogspot cci chambagri
        chirurgiens-dentistes chirurgiens-dentistes-en-france com experts-comptables fbx-os fbxos freebox-os freeboxos geometre-expert
        gouv greta huissier-justice medecin nom notaires on-web pharmacien port prd presse tm veterinaire) ~free fresenius frl frogans
        ~frontdoor frontier ftr ~fujitsu ~fujixerox ~fun fund furniture futbol fyi ga gal gallery gallo gallup game ~games ~gap garden
        gb gbiz gd(nom) gdn(cnpy) ge(com edu gov mil net nom org pvt) gea gent genting ~george gf gg(co cya net org) ggee gh(com edu gov
        mil org) gi(com edu gov ltd mod org) gift gifts gives giving gl(co com edu net nom org) ~glade glass gle global globo gm gmail
        gmbh gmo gmx gn(ac com edu gov net org) ~godaddy gold goldpoint golf goo ~goodhands ~goodyear goog(cloud) google gop got gov
        gp(asso com edu mobi net org) gq gr(blogspot com edu gov net nym org) grainger graphics gratis green gripe ~grocery group gs
        gt(com edu gob ind mil net nom org) gu(com edu gov guam info net org web) ~guardian gucci guge guide guitars guru gw gy(co com
        edu gov net nym org) ~hair hamburg hangout haus ~hbo ~hdfc hdfcbank health healthcare help helsinki here hermes ~hgtv hiphop
        ~hisamitsu hitachi hiv hk(blogspot com edu gov idv inc ltd net org xn--55qx5d xn--ciqpn xn--gmq050i xn--gmqw5a xn--io0a7i
        xn--lcvr32d xn--mk0axi xn--mxtq1m xn--od0alg xn--od0aq3b xn--tn0ag xn--uc0atv xn--uc0ay4a xn--wcvs22d xn--zf0avx) ~hkt hm hn(com
        edu gob mil net nom org) hockey holdings holiday homedepot ~homegoods homes ~homesense honda ~honeywell horse ~hospital
        host(cloudaccess freesite half pcloud) hosting(opencraft) ~hot hoteles ~hotels hotmail house how hr(blogspot com from iz name)
        hsbc ht(adult art asso com coop edu firm gouv info med net org perso pol pro rel shop) ^htc hu(2000 agrar blogspot bolt casino
        city co erotica erotika film forum games hotel info ingatlan jogasz konyvelo lakas media news org priv reklam sex shop sport
        suli szex tm tozsde utazas video) ~hughes ~hyatt hyundai ibm icbc ice icu id(ac biz co(blogspot) desa go mil my net or sch web
        zone) ie(blogspot gov nym) ~ieee ifm ^iinet ~ikano il(ac co(blogspot) gov idf k12 muni net org) im(ac co(ltd plc) com net nom
        org ro tt tv) imamat ~imdb immo immobilien in(ac barsy blogspot cloudns co edu firm gen gov ind mil net nic org res) ~inc
        industries infiniti info(barrel-of-knowledge barrell-of-knowledge barsy cloudns dvrcam dynamic-dns dyndns for-our forumz
        groks-the groks-this here-for-more ilovecollege knowsitall mayfirst no-ip nsupdate selfip v-info webhop) ing ink institute
        insurance insure int(eu) ~intel international ~intuit investments io(2038 azurecontainer backplaneapp barsy boxfuse
        browsersafetymark cleverapps com dedyn definima drud enonic(customer) github gitlab hasura-app hzc lair?(apps) ngrok nid
        nodeart?(stage) nodum pantheonsite protonet resindevice resinstaging?(devices) s5y?(*) sandcats shiftedit spacekit stolos?(*)
        thingdust?(dev?(cust) disrec?(cust) prod?(cust) testing?(cust)) utwente vaporcloud wedeploy) ipiranga iq(com edu gov mil net
        org) ir(ac co gov id net org sch xn--mgba3a4f16a xn--mgba3a4fra) irish is(blogspot com cupcake edu gov int net org) iselect
        ismaili ist istanbul it(16-b 32-b 64-b abr abruzzo ag agrigento al alessandria alto-adige altoadige an ancona
        andria-barletta-trani andria-trani-barletta andriabarlettatrani andriatranibarletta ao aosta aosta-valley aostavalley aoste ap
        aq aquila ar arezzo ascoli-piceno ascolipiceno asti at av avellino ba balsan balsan-sudtirol balsan-suedtirol bari
        barletta-trani-andria barlettatraniandria bas basilicata belluno benevento bergamo bg bi biella bl blogspot bn bo bologna
        bolzano bolzano-altoadige bozen bozen-sudtirol bozen-suedtirol br brescia brindisi bs bt bulsan bulsan-sudtirol bulsan-suedtirol
        bz ca cagliari cal calabria caltanissetta cam campania campidano-medio campidanomedio campobasso carbonia-iglesias
        carboniaiglesias carrara-massa carraramassa caserta catania catanzaro cb ce cesena-forli cesenaforli ch chieti ci cl cn co como
        cosenza cr cremona crotone cs ct cuneo cz dell-ogliastra dellogliastra edu emilia-romagna emiliaromagna emr en enna fc fe fermo
        ferrara fg fi firenze florence fm foggia forli-cesena forlicesena fr friuli-v-giulia friuli-ve-giulia friuli-vegiulia
        friuli-venezia-giulia friuli-veneziagiulia friuli-vgiulia friuliv-giulia friulive-giulia friulivegiulia friulivenezia-giulia
        friuliveneziagiulia friulivgiulia frosinone fvg ge genoa genova go gorizia gov gr grosseto iglesias-carbonia iglesiascarbonia im
        imperia is isernia kr la-spezia laquila laspezia latina laz lazio lc le lecce lecco li lig liguria livorno lo lodi lom lombardia
        lombardy lt lu lucania lucca macerata mantova mar marche massa-carrara massacarrara matera mb mc me medio-campidano
        mediocampidano messina mi milan milano mn mo modena mol molise monza monza-brianza monza-e-della-brianza monzabrianza
        monzaebrianza monzaedellabrianza ms mt na naples napoli no novara nu nuoro og ogliastra olbia-tempio olbiatempio or oristano ot
        pa padova padua palermo parma pavia pc pd pe perugia pesaro-urbino pesarourbino pescara pg pi piacenza piedmont piemonte pisa
        pistoia pmn pn po pordenone potenza pr prato pt pu pug puglia pv pz ra ragusa ravenna rc re reggio-calabria reggio-emilia
        reggiocalabria reggioemilia rg ri rieti rimini rm rn ro roma rome rovigo sa salerno sar sardegna sardinia sassari savona si sic
        sicilia sicily siena siracusa so sondrio sp sr ss suedtirol sv ta taa taranto te tempio-olbia tempioolbia teramo terni tn to
        torino tos toscana tp tr trani-andria-barletta trani-barletta-andria traniandriabarletta tranibarlettaandria trapani
        trentin-sud-tirol trentin-sudtirol trentin-sued-tirol trentin-suedtirol trentino trentino-a-adige trentino-aadige
        trentino-alto-adige trentino-altoadige trentino-s-tirol trentino-stirol trentino-sud-tirol trentino-sudtirol trentino-sued-tirol
        trentino-suedtirol trentinoa-adige trentinoaadige trentinoalto-adige trentinoaltoadige trentinos-tirol trentinostirol
        trentinosud-tirol trentinosudtirol trentinosued-tirol trentinosuedtirol trentinsud-tirol trentinsudtirol trentinsued-tirol
        trentinsuedtirol trento treviso trieste ts turin tuscany tv ud udine umb umbria urbino-pesaro urbinopesaro va val-d-aosta
        val-daosta vald-aosta valdaosta valle-aosta valle-d-aosta valle-daosta valleaosta valled-aosta valledaosta vallee-aoste
        vallee-d-aoste valleeaoste valleedaoste vao varese vb vc vda ve ven veneto venezia venice verbania vercelli verona vi
        vibo-valentia vibovalentia vicenza viterbo vr vs vt vv xn--balsan-sdtirol-nsb xn--bozen-sdtirol-2ob xn--bulsan-sdtirol-nsb
        xn--cesena-forl-mcb xn--cesenaforl-i8a xn--forl-cesena-fcb xn--forlcesena-c8a xn--sdtirol-n2a xn--trentin-sd-tirol-rzb
        xn--trentin-sdtirol-7vb xn--trentino-sd-tirol-c3b xn--trentino-sdtirol-szb xn--trentinosd-tirol-rzb xn--trentinosdtirol-7vb
        xn--trentinsd-tirol-6vb xn--trentinsdtirol-nsb xn--valle-aoste-ebb xn--valle-d-aoste-ehb xn--valleaoste-e7a xn--valledaoste-ebb)
        itau ~itv ~iveco iwc jaguar java jcb jcp je(co net org) ~jeep jetzt jewelry ~jio jlc jll jm?(*) jmp jnj jo(com edu gov mil name
        net org sch) jobs joburg jot joy jp(ac ad aichi(aisai ama anjo asuke chiryu chita fuso gamagori handa hazu hekinan higashiura
        ichinomiya inazawa inuyama isshiki iwakura kanie kariya kasugai kira kiyosu komaki konan kota mihama miyoshi nishio nisshin obu
        oguchi oharu okazaki owariasahi seto shikatsu shinshiro shitara tahara takahama tobishima toei togo tokai tokoname toyoake
        toyohashi toyokawa toyone toyota tsushima yatomi) akita(akita daisen fujisato gojome hachirogata happou higashinaruse honjo
        honjyo ikawa kamikoani kamioka katagami kazuno kitaakita kosaka kyowa misato mitane moriyoshi nikaho noshiro odate oga ogata
        semboku yokote yurihonjo) aomori(aomori gonohe hachinohe hashikami hiranai hirosaki itayanagi kuroishi misawa mutsu nakadomari
        noheji oirase owani rokunohe sannohe shichinohe shingo takko towada tsugaru tsuruta) blogspot chiba(abiko asahi chonan chosei
        choshi chuo funabashi futtsu hanamigawa ichihara ichikawa ichinomiya inzai isumi kamagaya kamogawa kashiwa katori katsuura
        kimitsu kisarazu kozaki kujukuri kyonan matsudo midori mihama minamiboso mobara mutsuzawa nagara nagareyama narashino narita
        noda oamishirasato omigawa onjuku otaki sakae sakura shimofusa shirako shiroi shisui sodegaura sosa tako tateyama togane
        tohnosho tomisato urayasu yachimata yachiyo yokaichiba yokoshibahikari yotsukaido) co ed ehime(ainan honai ikata imabari iyo
        kamijima kihoku kumakogen masaki matsuno matsuyama namikata niihama ozu saijo seiyo shikokuchuo tobe toon uchiko uwajima
        yawatahama) fukui(echizen eiheiji fukui ikeda katsuyama mihama minamiechizen obama ohi ono sabae sakai takahama tsuruga wakasa)
        fukuoka(ashiya buzen chikugo chikuho chikujo chikushino chikuzen chuo dazaifu fukuchi hakata higashi hirokawa hisayama iizuka
        inatsuki kaho kasuga kasuya kawara keisen koga kurate kurogi kurume minami miyako miyama miyawaka mizumaki munakata nakagawa
        nakama nishi nogata ogori okagaki okawa oki omuta onga onojo oto saigawa sasaguri shingu shinyoshitomi shonai soeda sue
        tachiarai tagawa takata toho toyotsu tsuiki ukiha umi usui yamada yame yanagawa yukuhashi) fukushima(aizubange aizumisato
        aizuwakamatsu asakawa bandai date fukushima furudono futaba hanawa higashi hirata hirono iitate inawashiro ishikawa iwaki
        izumizaki kagamiishi kaneyama kawamata kitakata kitashiobara koori koriyama kunimi miharu mishima namie nango nishiaizu nishigo
        okuma omotego ono otama samegawa shimogo shirakawa showa soma sukagawa taishin tamakawa tanagura tenei yabuki yamato yamatsuri
        yanaizu yugawa) gifu(anpachi ena gifu ginan godo gujo hashima hichiso hida higashishirakawa ibigawa ikeda kakamigahara kani
        kasahara kasamatsu kawaue kitagata mino minokamo mitake mizunami motosu nakatsugawa ogaki sakahogi seki sekigahara shirakawa
        tajimi takayama tarui toki tomika wanouchi yamagata yaotsu yoro) go gr gunma(annaka chiyoda fujioka higashiagatsuma isesaki
        itakura kanna kanra katashina kawaba kiryu kusatsu maebashi meiwa midori minakami naganohara nakanojo nanmoku numata oizumi ora
        ota shibukawa shimonita shinto showa takasaki takayama tamamura tatebayashi tomioka tsukiyono tsumagoi ueno yoshioka)
        hiroshima(asaminami daiwa etajima fuchu fukuyama hatsukaichi higashihiroshima hongo jinsekikogen kaita kui kumano kure mihara
        miyoshi naka onomichi osakikamijima otake saka sera seranishi shinichi shobara takehara) hokkaido(abashiri abira aibetsu akabira
        akkeshi asahikawa ashibetsu ashoro assabu atsuma bibai biei bifuka bihoro biratori chippubetsu chitose date ebetsu embetsu eniwa
        erimo esan esashi fukagawa fukushima furano furubira haboro hakodate hamatonbetsu hidaka higashikagura higashikawa hiroo hokuryu
        hokuto honbetsu horokanai horonobe ikeda imakane ishikari iwamizawa iwanai kamifurano kamikawa kamishihoro kamisunagawa kamoenai
        kayabe kembuchi kikonai kimobetsu kitahiroshima kitami kiyosato koshimizu kunneppu kuriyama kuromatsunai kushiro kutchan kyowa
        mashike matsumae mikasa minamifurano mombetsu moseushi mukawa muroran naie nakagawa nakasatsunai nakatombetsu nanae nanporo
        nayoro nemuro niikappu niki nishiokoppe noboribetsu numata obihiro obira oketo okoppe otaru otobe otofuke otoineppu oumu ozora
        pippu rankoshi rebun rikubetsu rishiri rishirifuji saroma sarufutsu shakotan shari shibecha shibetsu shikabe shikaoi shimamaki
        shimizu shimokawa shinshinotsu shintoku shiranuka shiraoi shiriuchi sobetsu sunagawa taiki takasu takikawa takinoue teshikaga
        tobetsu tohma tomakomai tomari toya toyako toyotomi toyoura tsubetsu tsukigata urakawa urausu uryu utashinai wakkanai wassamu
        yakumo yoichi) hyogo(aioi akashi ako amagasaki aogaki asago ashiya awaji fukusaki goshiki harima himeji ichikawa inagawa itami
        kakogawa kamigori kamikawa kasai kasuga kawanishi miki minamiawaji nishinomiya nishiwaki ono sanda sannan sasayama sayo shingu
        shinonsen shiso sumoto taishi taka takarazuka takasago takino tamba tatsuno toyooka yabu yashiro yoka yokawa) ibaraki(ami asahi
        bando chikusei daigo fujishiro hitachi hitachinaka hitachiomiya hitachiota ibaraki ina inashiki itako iwama joso kamisu kasama
        kashima kasumigaura koga miho mito moriya naka namegata oarai ogawa omitama ryugasaki sakai sakuragawa shimodate shimotsuma
        shirosato sowa suifu takahagi tamatsukuri tokai tomobe tone toride tsuchiura tsukuba uchihara ushiku yachiyo yamagata yawara
        yuki) ishikawa(anamizu hakui hakusan kaga kahoku kanazawa kawakita komatsu nakanoto nanao nomi nonoichi noto shika suzu tsubata
        tsurugi uchinada wajima) iwate(fudai fujisawa hanamaki hiraizumi hirono ichinohe ichinoseki iwaizumi iwate joboji kamaishi
        kanegasaki karumai kawai kitakami kuji kunohe kuzumaki miyako mizusawa morioka ninohe noda ofunato oshu otsuchi rikuzentakata
        shiwa shizukuishi sumita tanohata tono yahaba yamada) kagawa(ayagawa higashikagawa kanonji kotohira manno marugame mitoyo
        naoshima sanuki tadotsu takamatsu tonosho uchinomi utazu zentsuji) kagoshima(akune amami hioki isa isen izumi kagoshima kanoya
        kawanabe kinko kouyama makurazaki matsumoto minamitane nakatane nishinoomote satsumasendai soo tarumizu yusui) kanagawa(aikawa
        atsugi ayase chigasaki ebina fujisawa hadano hakone hiratsuka isehara kaisei kamakura kiyokawa matsuda minamiashigara miura
        nakai ninomiya odawara oi oiso sagamihara samukawa tsukui yamakita yamato yokosuka yugawara zama zushi) kawasaki?(* !city)
        kitakyushu?(* !city) kobe?(* !city) kochi(aki geisei hidaka higashitsuno ino kagami kami kitagawa kochi mihara motoyama muroto
        nahari nakamura nankoku nishitosa niyodogawa ochi okawa otoyo otsuki sakawa sukumo susaki tosa tosashimizu toyo tsuno umaji
        yasuda yusuhara) kumamoto(amakusa arao aso choyo gyokuto kamiamakusa kikuchi kumamoto mashiki mifune minamata minamioguni nagasu
        nishihara oguni ozu sumoto takamori uki uto yamaga yamato yatsushiro) kyoto(ayabe fukuchiyama higashiyama ide ine joyo kameoka
        kamo kita kizu kumiyama kyotamba kyotanabe kyotango maizuru minami minamiyamashiro miyazu muko nagaokakyo nakagyo nantan
        oyamazaki sakyo seika tanabe uji ujitawara wazuka yamashina yawata) lg mie(asahi inabe ise kameyama kawagoe kiho kisosaki kiwa
        komono kumano kuwana matsusaka meiwa mihama minamiise misugi miyama nabari shima suzuka tado taiki taki tamaki toba tsu udono
        ureshino watarai yokkaichi) miyagi(furukawa higashimatsushima ishinomaki iwanuma kakuda kami kawasaki marumori matsushima
        minamisanriku misato murata natori ogawara ohira onagawa osaki rifu semine shibata shichikashuku shikama shiogama shiroishi
        tagajo taiwa tome tomiya wakuya watari yamamoto zao) miyazaki(aya ebino gokase hyuga kadogawa kawaminami kijo kitagawa kitakata
        kitaura kobayashi kunitomi kushima mimata miyakonojo miyazaki morotsuka nichinan nishimera nobeoka saito shiiba shintomi
        takaharu takanabe takazaki tsuno) nagano(achi agematsu anan aoki asahi azumino chikuhoku chikuma chino fujimi hakuba hara hiraya
        iida iijima iiyama iizuna ikeda ikusaka ina karuizawa kawakami kiso kisofukushima kitaaiki komagane komoro matsukawa matsumoto
        miasa minamiaiki minamimaki minamiminowa minowa miyada miyota mochizuki nagano nagawa nagiso nakagawa nakano nozawaonsen obuse
        ogawa okaya omachi omi ookuwa ooshika otaki otari sakae sakaki saku sakuho shimosuwa shinanomachi shiojiri suwa suzaka takagi
        takamori takayama tateshina tatsuno togakushi togura tomi ueda wada yamagata yamanouchi yasaka yasuoka) nagasaki(chijiwa futsu
        goto hasami hirado iki isahaya kawatana kuchinotsu matsuura nagasaki obama omura oseto saikai sasebo seihi shimabara
        shinkamigoto togitsu tsushima unzen) nagoya?(* !city) nara(ando gose heguri higashiyoshino ikaruga ikoma kamikitayama kanmaki
        kashiba kashihara katsuragi kawai kawakami kawanishi koryo kurotaki mitsue miyake nara nosegawa oji ouda oyodo sakurai sango
        shimoichi shimokitayama shinjo soni takatori tawaramoto tenkawa tenri uda yamatokoriyama yamatotakada yamazoe yoshino) ne
        niigata(aga agano gosen itoigawa izumozaki joetsu kamo kariwa kashiwazaki minamiuonuma mitsuke muika murakami myoko nagaoka
        niigata ojiya omi sado sanjo seiro seirou sekikawa shibata tagami tainai tochio tokamachi tsubame tsunan uonuma yahiko yoita
        yuzawa) oita(beppu bungoono bungotakada hasama hiji himeshima hita kamitsue kokonoe kuju kunisaki kusu oita saiki taketa tsukumi
        usa usuki yufu) okayama(akaiwa asakuchi bizen hayashima ibara kagamino kasaoka kibichuo kumenan kurashiki maniwa misaki nagi
        niimi nishiawakura okayama satosho setouchi shinjo shoo soja takahashi tamano tsuyama wake yakage) okinawa(aguni ginowan ginoza
        gushikami haebaru higashi hirara iheya ishigaki ishikawa itoman izena kadena kin kitadaito kitanakagusuku kumejima kunigami
        minamidaito motobu nago naha nakagusuku nakijin nanjo nishihara ogimi okinawa onna shimoji taketomi tarama tokashiki tomigusuku
        tonaki urasoe uruma yaese yomitan yonabaru yonaguni zamami) or osaka(abeno chihayaakasaka chuo daito fujiidera habikino hannan
        higashiosaka higashisumiyoshi higashiyodogawa hirakata ibaraki ikeda izumi izumiotsu izumisano kadoma kaizuka kanan kashiwara
        katano kawachinagano kishiwada kita kumatori matsubara minato minoh misaki moriguchi neyagawa nishi nose osakasayama sakai
        sayama sennan settsu shijonawate shimamoto suita tadaoka taishi tajiri takaishi takatsuki tondabayashi toyonaka toyono yao)
        saga(ariake arita fukudomi genkai hamatama hizen imari kamimine kanzaki karatsu kashima kitagata kitahata kiyama kouhoku kyuragi
        nishiarita ogi omachi ouchi saga shiroishi taku tara tosu yoshinogari) saitama(arakawa asaka chichibu fujimi fujimino fukaya
        hanno hanyu hasuda hatogaya hatoyama hidaka higashichichibu higashimatsuyama honjo ina iruma iwatsuki kamiizumi kamikawa
        kamisato kasukabe kawagoe kawaguchi kawajima kazo kitamoto koshigaya kounosu kuki kumagaya matsubushi minano misato miyashiro
        miyoshi moroyama nagatoro namegawa niiza ogano ogawa ogose okegawa omiya otaki ranzan ryokami saitama sakado satte sayama shiki
        shiraoka soka sugito toda tokigawa tokorozawa tsurugashima urawa warabi yashio yokoze yono yorii yoshida yoshikawa yoshimi)
        sapporo?(* !city) sendai?(* !city) shiga(aisho gamo higashiomi hikone koka konan kosei koto kusatsu maibara moriyama nagahama
        nishiazai notogawa omihachiman otsu ritto ryuoh takashima takatsuki torahime toyosato yasu) shimane(akagi ama gotsu hamada
        higashiizumo hikawa hikimi izumo kakinoki masuda matsue misato nishinoshima ohda okinoshima okuizumo shimane tamayu tsuwano
        unnan yakumo yasugi yatsuka) shizuoka(arai atami fuji fujieda fujikawa fujinomiya fukuroi gotemba haibara hamamatsu higashiizu
        ito iwata izu izunokuni kakegawa kannami kawanehon kawazu kikugawa kosai makinohara matsuzaki minamiizu mishima morimachi
        nishiizu numazu omaezaki shimada shimizu shimoda shizuoka susono yaizu yoshida) tochigi(ashikaga bato haga ichikai iwafune
        kaminokawa kanuma karasuyama kuroiso mashiko mibu moka motegi nasu nasushiobara nikko nishikata nogi ohira ohtawara oyama sakura
        sano shimotsuke shioya takanezawa tochigi tsuga ujiie utsunomiya yaita) tokushima(aizumi anan ichiba itano kainan komatsushima
        matsushige mima minami miyoshi mugi nakagawa naruto sanagochi shishikui tokushima wajiki) tokyo(adachi akiruno akishima
        aogashima arakawa bunkyo chiyoda chofu chuo edogawa fuchu fussa hachijo hachioji hamura higashikurume higashimurayama
        higashiyamato hino hinode hinohara inagi itabashi katsushika kita kiyose kodaira koganei kokubunji komae koto kouzushima
        kunitachi machida meguro minato mitaka mizuho musashimurayama musashino nakano nerima ogasawara okutama ome oshima ota setagaya
        shibuya shinagawa shinjuku suginami sumida tachikawa taito tama toshima) tottori(chizu hino kawahara koge kotoura misasa nanbu
        nichinan sakaiminato tottori wakasa yazu yonago) toyama(asahi fuchu fukumitsu funahashi himi imizu inami johana kamiichi kurobe
        nakaniikawa namerikawa nanto nyuzen oyabe taira takaoka tateyama toga tonami toyama unazuki uozu yamada) wakayama(arida
        aridagawa gobo hashimoto hidaka hirogawa inami iwade kainan kamitonda katsuragi kimino kinokawa kitayama koya koza kozagawa
        kudoyama kushimoto mihama misato nachikatsuura shingu shirahama taiji tanabe wakayama yuasa yura) xn--0trq7p7nn xn--1ctwo
        xn--1lqs03n xn--1lqs71d xn--2m4a15e xn--32vp30h xn--4it168d xn--4it797k xn--4pvxs xn--5js045d xn--5rtp49c xn--5rtq34k xn--6btw5a
        xn--6orx2r xn--7t0a264c xn--8ltr62k xn--8pvr4u xn--c3s14m xn--d5qv7z876c xn--djrs72d6uy xn--djty4k xn--efvn9s xn--ehqz56n
        xn--elqq16h xn--f6qx53a xn--k7yn95e xn--kbrq7o xn--klt787d xn--kltp7d xn--kltx9a xn--klty5x xn--mkru45i xn--nit225k
        xn--ntso0iqx3a xn--ntsq17g xn--pssu33l xn--qqqt11m xn--rht27z xn--rht3d xn--rht61e xn--rny31h xn--tor131o xn--uist22h xn--uisz3g
        xn--uuwu58a xn--vgu402c xn--zbx025d yamagata(asahi funagata higashine iide kahoku kaminoyama kaneyama kawanishi mamurogawa
        mikawa murayama nagai nakayama nanyo nishikawa obanazawa oe oguni ohkura oishida sagae sakata sakegawa shinjo shirataka shonai
        takahata tendo tozawa tsuruoka yamagata yamanobe yonezawa yuza) yamaguchi(abu hagi hikari hofu iwakuni kudamatsu mitou nagato
        oshima shimonoseki shunan tabuse tokuyama toyota ube yuu) yamanashi(chuo doshi fuefuki fujikawa fujikawaguchiko fujiyoshida
        hayakawa hokuto ichikawamisato kai kofu koshu kosuge minami-alps minobu nakamichi nanbu narusawa nirasaki nishikatsura oshino
        otsuki showa tabayama tsuru uenohara yamanakako yamanashi) yokohama?(* !city)) jpmorgan jprs juegos ~juniper kaufen kddi ke(ac
        co(blogspot) go info me mobi ne nom or sc) kerryhotels kerrylogistics kerryproperties kfh kg(com edu gov mil net org) kh?(*)
        ki(biz com edu gov info net org) kia kim kinder ~kindle kitchen kiwi km(ass asso com coop edu gouv gov medecin mil nom notaires
        org pharmaciens prd presse tm veterinaire) kn(edu gov net org) koeln komatsu ~kosher kp(com edu gov org rep tra) kpmg kpn kr(ac
        blogspot busan chungbuk chungnam co daegu daejeon es gangwon go gwangju gyeongbuk gyeonggi gyeongnam hs incheon jeju jeonbuk
        jeonnam kg mil ms ne or pe re sc seoul ulsan) krd(co edu) kred kuokgroup kw?(*) ky(com edu gov net org) kyoto kz(com edu gov mil
        net nym org) la(bnr c com edu gov info int net nym org per) lacaixa ~ladbrokes lamborghini lamer lancaster ~lancia ~lancome
        land(static(dev sites)) landrover lanxess lasalle lat ~latino latrobe law lawyer lb(com edu gov net org) lc(co com edu gov net
        nym org oy) lds lease leclerc ~lefrak legal ~lego lexus lgbt li(blogspot nom nym) liaison lidl life lifeinsurance lifestyle
        lighting like ~lilly limited limo lincoln linde link(cyon mypep) ~lipsy live living lixil lk(ac assn com edu gov grp hotel int
        ltd net ngo org sch soc web) ~llc loan loans ~locker locus ~loft lol london lotte lotto love ~lpl ~lplfinancial lr(com edu gov
        net org) ls(co org) lt(blogspot gov nym) ltd ltda lu(blogspot nym) ~lundbeck lupin luxe luxury lv(asn com conf edu gov id mil
        net org) ly(com edu gov id med net org plc sch) ma(ac co gov net org press) ~macys madrid maif maison makeup man
        management(router) mango ~map market marketing markets marriott ~marshalls ~maserati ~mattel mba mc(asso tm) ~mckinsey
        md(blogspot) me(ac barsy brasilia c66 co daplie(localhost) ddns diskstation dnsfor dscloud edu filegear gov hopto i234 its
        loginto myds net nohost noip nym org priv ravendb soundcast synology tcp4 webhop wedeploy yombo) med media meet melbourne meme
        memorial men menu(barsy) meo ~merckmsd ~metlife mg(co com edu gov mil nom org prd tm) mh miami microsoft mil mini ~mint ~mit
        ~mitsubishi mk(blogspot com edu gov inf name net nom org) ml(com edu gouv gov net org presse) ~mlb mls mm?(*) mma mn(edu gov nyc
        nym org) mo(com edu gov net org) mobi(barsy dscloud) ~mobile mobily moda moe moi mom monash money ~monster ^montblanc ~mopar
        mormon mortgage moscow ~moto motorcycles mov movie movistar mp mq mr(blogspot gov) ms(com edu gov net org) ~msd mt(com(blogspot)
        edu net org) mtn ^mtpc mtr mu(ac co com gov net or org) museum(academy agriculture air airguard alabama alaska amber ambulance
        american americana americanantiques americanart amsterdam and annefrank anthro anthropology antiques aquarium arboretum
        archaeological archaeology architecture art artanddesign artcenter artdeco arteducation artgallery arts artsandcrafts asmatart
        assassination assisi association astronomy atlanta austin australia automotive aviation axis badajoz baghdad bahn bale baltimore
        barcelona baseball basel baths bauern beauxarts beeldengeluid bellevue bergbau berkeley berlin bern bible bilbao bill birdart
        birthplace bonn boston botanical botanicalgarden botanicgarden botany brandywinevalley brasil bristol british britishcolumbia
        broadcast brunel brussel brussels bruxelles building burghof bus bushey cadaques california cambridge can canada capebreton
        carrier cartoonart casadelamoneda castle castres celtic center chattanooga cheltenham chesapeakebay chicago children childrens
        childrensgarden chiropractic chocolate christiansburg cincinnati cinema circus civilisation civilization civilwar clinton clock
        coal coastaldefence cody coldwar collection colonialwilliamsburg coloradoplateau columbia columbus communication communications
        community computer computerhistory contemporary contemporaryart convent copenhagen corporation corvette costume countryestate
        county crafts cranbrook creation cultural culturalcenter culture cyber cymru dali dallas database ddr decorativearts delaware
        delmenhorst denmark depot design detroit dinosaur discovery dolls donostia durham eastafrica eastcoast education educational
        egyptian eisenbahn elburg elvendrell embroidery encyclopedic england entomology environment environmentalconservation epilepsy
        essex estate ethnology exeter exhibition family farm farmequipment farmers farmstead field figueres filatelia film fineart
        finearts finland flanders florida force fortmissoula fortworth foundation francaise frankfurt franziskaner freemasonry freiburg
        fribourg frog fundacio furniture gallery garden gateway geelvinck gemological geology georgia giessen glas glass gorge
        grandrapids graz guernsey halloffame hamburg handson harvestcelebration hawaii health heimatunduhren hellas helsinki
        hembygdsforbund heritage histoire historical historicalsociety historichouses historisch historisches history historyofscience
        horology house humanities illustration imageandsound indian indiana indianapolis indianmarket intelligence interactive iraq iron
        isleofman jamison jefferson jerusalem jewelry jewish jewishart jfk journalism judaica judygarland juedisches juif karate
        karikatur kids koebenhavn koeln kunst kunstsammlung kunstunddesign labor labour lajolla lancashire landes lans larsson
        lewismiller lincoln linz living livinghistory localhistory london losangeles louvre loyalist lucerne luxembourg luzern mad
        madrid mallorca manchester mansion mansions manx marburg maritime maritimo maryland marylhurst media medical medizinhistorisches
        meeres memorial mesaverde michigan midatlantic military mill miners mining minnesota missile missoula modern moma money monmouth
        monticello montreal moscow motorcycle muenchen muenster mulhouse muncie museet museumcenter museumvereniging music national
        nationalfirearms nationalheritage nativeamerican naturalhistory naturalhistorymuseum naturalsciences nature naturhistorisches
        natuurwetenschappen naumburg naval nebraska neues newhampshire newjersey newmexico newport newspaper newyork niepce norfolk
        north nrw nuernberg nuremberg nyc nyny oceanographic oceanographique omaha online ontario openair oregon oregontrail otago
        oxford pacific paderborn palace paleo palmsprings panama paris pasadena pharmacy philadelphia philadelphiaarea philately phoenix
        photography pilots pittsburgh planetarium plantation plants plaza portal portland portlligat posts-and-telecommunications
        preservation presidio press project public pubol quebec railroad railway research resistance riodejaneiro rochester rockart roma
        russia saintlouis salem salvadordali salzburg sandiego sanfrancisco santabarbara santacruz santafe saskatchewan satx savannahga
        schlesisches schoenbrunn schokoladen school schweiz science science-fiction scienceandhistory scienceandindustry sciencecenter
        sciencecenters sciencehistory sciences sciencesnaturelles scotland seaport settlement settlers shell sherbrooke sibenik silk ski
        skole society sologne soundandvision southcarolina southwest space spy square stadt stalbans starnberg state stateofdelaware
        station steam steiermark stjohn stockholm stpetersburg stuttgart suisse surgeonshall surrey svizzera sweden sydney tank tcm
        technology telekommunikation television texas textile theater time timekeeping topology torino touch town transport tree trolley
        trust trustee uhren ulm undersea university usa usantiques usarts uscountryestate usculture usdecorativearts usgarden ushistory
        ushuaia uslivinghistory utah uvic valley vantaa versailles viking village virginia virtual virtuel vlaanderen volkenkunde wales
        wallonie war washingtondc watch-and-clock watchandclock western westfalen whaling wildlife williamsburg windmill workshop
        xn--9dbhblg6di xn--comunicaes-v6a2o xn--correios-e-telecomunicaes-ghc29a xn--h1aegh xn--lns-qla york yorkshire yosemite youth
        zoological zoology) mutual ^mutuelle mv(aero biz com coop edu gov info int mil museum name net org pro) mw(ac biz co com coop
        edu gov int museum net org) mx(blogspot com edu gob net nym org) my(blogspot com edu gov mil name net org) mz(ac adv co edu gov
        mil net org) na(ca cc co com dr in info mobi mx name or org pro school tv us ws) ~nab nadex nagoya name(her?(forgot)
        his?(forgot)) ~nationwide natura navy ~nba nc(asso nom) ne nec net(alwaysdata at-band-camp azure-mobile azurewebsites barsy
        blackbaudcdn blogdns boomla bounceme bplaced broke-it buyshouses casacam cdn77?(r) cdn77-ssl channelsdvr cloudaccess cloudapp
        cloudeity cloudfront cloudfunctions cloudycluster cryptonomic?(*) dattolocal ddns debian definima dnsalias dnsdojo dnsup does-it
        dontexist dsmynas dynalias dynathome dynu dynv6 eating-organic endofinternet familyds fastly?(freetls map prod?(a global) ssl?(a
        b global)) fastlylb(map) feste-ip firewall-gateway flynnhosting from-az from-co from-la from-ny gb gets-it ham-radio-op hicam
        homeftp homeip homelinux homeunix hu in in-the-band ipifony is-a-chef is-a-geek isa-geek jp kicks-ass knx-server memset
        moonscale mydatto mydissent myeffect myfritz mymediapc mypsx mysecuritycamera nhlfan no-ip now-dns office-on-the ownip pgafan
        podzone privatizehealthinsurance rackmaze redirectme ru schokokeks scrapper-site se selfip sells-it servebbs serveblog serveftp
        serveminecraft square7 static-access sytes t3l3p0rt thruhere twmail uk vpndns webhop za) netbank ~netflix network(alces?(*))
        neustar new ~newholland news ~next ~nextdirect nexus nf(arts com firm info net other per rec store web) ~nfl ng(com(blogspot)
        edu gov i mil mobi name net org sch) ngo nhk ni(ac biz co com edu gob in info int mil net nom org web) nico ~nike nikon ninja
        nissan nissay nl(blogspot bv cistron co demon hosting-cluster transurl?(*) virtueeldomein) no(aa(gs) aarborte aejrie afjord
        agdenes ah(gs) akershus?(nes) aknoluokta akrehamn al alaheadju alesund algard alstahaug alta alvdal amli amot andasuolo andebu
        andoy ardal aremark arendal arna aseral asker askim askoy askvoll asnes audnedaln aukra aure aurland aurskog-holand austevoll
        austrheim averoy badaddja bahcavuotna bahccavuotna baidar bajddar balat balestrand ballangen balsfjord bamble bardu barum
        batsfjord bearalvahki beardu beiarn berg bergen berlevag bievat bindal birkenes bjarkoy bjerkreim bjugn blogspot bodo bokn bomlo
        bremanger bronnoy bronnoysund brumunddal bryne bu(gs) budejju buskerud?(nes) bygland bykle cahcesuolo co davvenjarga davvesiida
        deatnu dep dielddanuorri divtasvuodna divttasvuotna donna dovre drammen drangedal drobak dyroy egersund eid eidfjord eidsberg
        eidskog eidsvoll eigersund elverum enebakk engerdal etne etnedal evenassi evenes evje-og-hornnes farsund fauske fedje fet
        fetsund fhs finnoy fitjar fjaler fjell fla flakstad flatanger flekkefjord flesberg flora floro fm(gs) folkebibl folldal forde
        forsand fosnes frana fredrikstad frei frogn froland frosta froya fuoisku fuossko fusa fylkesbibl fyresdal gaivuotna galsa gamvik
        gangaviika gaular gausdal giehtavuoatna gildeskal giske gjemnes gjerdrum gjerstad gjesdal gjovik gloppen gol gran grane granvin
        gratangen grimstad grong grue gulen guovdageaidnu ha habmer hadsel hagebostad halden halsa hamar hamaroy hammarfeasta hammerfest
        hapmir haram hareid harstad hasvik hattfjelldal haugesund hedmark?(os valer xn--vler-qoa) hemne hemnes hemsedal herad hitra
        hjartdal hjelmeland hl(gs) hm(gs) hobol hof hokksund hol hole holmestrand holtalen honefoss hordaland?(os) hornindal horten
        hoyanger hoylandet hurdal hurum hvaler hyllestad ibestad idrett inderoy iveland ivgu jan-mayen(gs) jessheim jevnaker jolster
        jondal jorpeland kafjord karasjohka karasjok karlsoy karmoy kautokeino kirkenes klabu klepp kommune kongsberg kongsvinger
        kopervik kraanghke kragero kristiansand kristiansund krodsherad krokstadelva kvafjord kvalsund kvam kvanangen kvinesdal
        kvinnherad kviteseid kvitsoy laakesvuemie lahppi langevag lardal larvik lavagis lavangen leangaviika lebesby leikanger leirfjord
        leirvik leka leksvik lenvik lerdal lesja levanger lier lierne lillehammer lillesand lindas lindesnes loabat lodingen lom loppa
        lorenskog loten lund lunner luroy luster lyngdal lyngen malatvuopmi malselv malvik mandal marker marnardal masfjorden masoy
        matta-varjjat meland meldal melhus meloy meraker midsund midtre-gauldal mil mjondalen mo-i-rana moareke modalen modum molde
        more-og-romsdal?(heroy sande) mosjoen moskenes moss mosvik mr(gs) muosat museum naamesjevuemie namdalseid namsos namsskogan
        nannestad naroy narviika narvik naustdal navuotna nedre-eiker nesna nesodden nesoddtangen nesseby nesset nissedal nittedal
        nl(gs) nord-aurdal nord-fron nord-odal norddal nordkapp nordland?(bo heroy xn--b-5ga xn--hery-ira) nordre-land nordreisa
        nore-og-uvdal notodden notteroy nt(gs) odda of(gs) oksnes ol(gs) omasvuotna oppdal oppegard orkanger orkdal orland orskog orsta
        osen oslo(gs) osoyro osteroy ostfold?(valer) ostre-toten overhalla ovre-eiker oyer oygarden oystre-slidre porsanger porsangu
        porsgrunn priv rade radoy rahkkeravju raholt raisa rakkestad ralingen rana randaberg rauma rendalen rennebu rennesoy rindal
        ringebu ringerike ringsaker risor rissa rl(gs) roan rodoy rollag romsa romskog roros rost royken royrvik ruovat rygge salangen
        salat saltdal samnanger sandefjord sandnes sandnessjoen sandoy sarpsborg sauda sauherad sel selbu selje seljord sf(gs) siellak
        sigdal siljan sirdal skanit skanland skaun skedsmo skedsmokorset ski skien skierva skiptvet skjak skjervoy skodje slattum smola
        snaase snasa snillfjord snoasa sogndal sogne sokndal sola solund somna sondre-land songdalen sor-aurdal sor-fron sor-odal
        sor-varanger sorfold sorreisa sortland sorum spjelkavik spydeberg st(gs) stange stat stathelle stavanger stavern steigen
        steinkjer stjordal stjordalshalsen stokke stor-elvdal stord stordal storfjord strand stranda stryn sula suldal sund sunndal
        surnadal svalbard(gs) sveio svelvik sykkylven tana tananger telemark?(bo xn--b-5ga) time tingvoll tinn tjeldsund tjome tm(gs)
        tokke tolga tonsberg torsken tr(gs) trana tranby tranoy troandin trogstad tromsa tromso trondheim trysil tvedestrand tydal
        tynset tysfjord tysnes tysvar ullensaker ullensvang ulvik unjarga utsira va(gs) vaapste vadso vaga vagan vagsoy vaksdal valle
        vang vanylven vardo varggat varoy vefsn vega vegarshei vennesla verdal verran vestby vestfold?(sande) vestnes vestre-slidre
        vestre-toten vestvagoy vevelstad vf(gs) vgs vik vikna vindafjord voagat volda voss vossevangen xn--andy-ira xn--asky-ira
        xn--aurskog-hland-jnb xn--avery-yua xn--bdddj-mrabd xn--bearalvhki-y4a xn--berlevg-jxa xn--bhcavuotna-s4a xn--bhccavuotna-k7a
        xn--bidr-5nac xn--bievt-0qa xn--bjarky-fya xn--bjddar-pta xn--blt-elab xn--bmlo-gra xn--bod-2na xn--brnny-wuac
        xn--brnnysund-m8ac xn--brum-voa xn--btsfjord-9za xn--davvenjrga-y4a xn--dnna-gra xn--drbak-wua xn--dyry-ira xn--eveni-0qa01ga
        xn--finny-yua xn--fjord-lra xn--fl-zia xn--flor-jra xn--frde-gra xn--frna-woa xn--frya-hra xn--ggaviika-8ya47h xn--gildeskl-g0a
        xn--givuotna-8ya xn--gjvik-wua xn--gls-elac xn--h-2fa xn--hbmer-xqa xn--hcesuolo-7ya35b xn--hgebostad-g3a xn--hmmrfeasta-s4ac
        xn--hnefoss-q1a xn--hobl-ira xn--holtlen-hxa xn--hpmir-xqa xn--hyanger-q1a xn--hylandet-54a xn--indery-fya xn--jlster-bya
        xn--jrpeland-54a xn--karmy-yua xn--kfjord-iua xn--klbu-woa xn--koluokta-7ya57h xn--krager-gya xn--kranghke-b0a xn--krdsherad-m8a
        xn--krehamn-dxa xn--krjohka-hwab49j xn--ksnes-uua xn--kvfjord-nxa xn--kvitsy-fya xn--kvnangen-k0a xn--l-1fa xn--laheadju-7ya
        xn--langevg-jxa xn--ldingen-q1a xn--leagaviika-52b xn--lesund-hua xn--lgrd-poac xn--lhppi-xqa xn--linds-pra xn--loabt-0qa
        xn--lrdal-sra xn--lrenskog-54a xn--lt-liac xn--lten-gra xn--lury-ira xn--mely-ira xn--merker-kua xn--mjndalen-64a
        xn--mlatvuopmi-s4a xn--mli-tla xn--mlselv-iua xn--moreke-jua xn--mosjen-eya xn--mot-tla xn--mre-og-romsdal-qqb?(sande
        xn--hery-ira) xn--msy-ula0h xn--mtta-vrjjat-k7af xn--muost-0qa xn--nmesjevuemie-tcba xn--nry-yla5g xn--nttery-byae
        xn--nvuotna-hwa xn--oppegrd-ixa xn--ostery-fya xn--osyro-wua xn--porsgu-sta26f xn--rady-ira xn--rdal-poa xn--rde-ula
        xn--rdy-0nab xn--rennesy-v1a xn--rhkkervju-01af xn--rholt-mra xn--risa-5na xn--risr-ira xn--rland-uua xn--rlingen-mxa
        xn--rmskog-bya xn--rros-gra xn--rskog-uua xn--rst-0na xn--rsta-fra xn--ryken-vua xn--ryrvik-bya xn--s-1fa xn--sandnessjen-ogb
        xn--sandy-yua xn--seral-lra xn--sgne-gra xn--skierv-uta xn--skjervy-v1a xn--skjk-soa xn--sknit-yqa xn--sknland-fxa xn--slat-5na
        xn--slt-elab xn--smla-hra xn--smna-gra xn--snase-nra xn--sndre-land-0cb xn--snes-poa xn--snsa-roa xn--sr-aurdal-l8a
        xn--sr-fron-q1a xn--sr-odal-q1a xn--sr-varanger-ggb xn--srfold-bya xn--srreisa-q1a xn--srum-gra xn--stfold-9xa?(xn--vler-qoa)
        xn--stjrdal-s1a xn--stjrdalshalsen-sqb xn--stre-toten-zcb xn--tjme-hra xn--tnsberg-q1a xn--trany-yua xn--trgstad-r1a
        xn--trna-woa xn--troms-zua xn--tysvr-vra xn--unjrga-rta xn--vads-jra xn--vard-jra xn--vegrshei-c0a xn--vestvgy-ixa6o xn--vg-yiab
        xn--vgan-qoa xn--vgsy-qoa0j xn--vre-eiker-k8a xn--vrggt-xqad xn--vry-yla5g xn--yer-zna xn--ygarden-p1a xn--ystre-slidre-ujb)
        nokia northwesternmutual norton ~now nowruz ~nowtv np?(*) nr(biz com edu gov info net org) nra nrw ntt nu(merseine mine nom
        shacknet) nyc nz(ac co(blogspot) cri geek gen govt health iwi kiwi maori mil net nym org parliament school xn--mori-qsa) obi
        ~observer ~off office okinawa ~olayan ~olayangroup ~oldnavy ~ollo om(co com edu gov med museum net org pro) omega one(homelink)
        ong ~onion onl online(barsy) ~onyourside ooo ~open oracle orange org(accesscam ae amune?(tele) barsy blogdns blogsite
        bmoattachments boldlygoingnowhere cable-modem camdvr cdn77?(c rsc) cdn77-secure?(origin?(ssl)) certmgr cloudns collegefan
        couchpotatofries ddnss diskstation dnsalias dnsdojo doesntexist dontexist doomdns dsmynas duckdns dvrdns dynalias dyndns(go
        home) dynserv endofinternet endoftheinternet eu(al asso at au be bg ca cd ch cn cy cz de dk edu ee es fi fr gr hr hu ie il in
        int is it jp kr lt lu lv mc me mk mt my net ng nl no nz paris pl pt q-a ro ru se si sk tr uk us) familyds fedorainfracloud
        fedorapeople fedoraproject?(cloud os?(app) stg?(os?(app))) freeddns freedesktop from-me game-host gotdns hepforge hk hobby-site
        homedns homeftp homelinux homeunix hopto is-a-bruinsfan is-a-candidate is-a-celticsfan is-a-chef is-a-geek is-a-knight
        is-a-linux-user is-a-patsfan is-a-soxfan is-found is-lost is-saved is-very-bad is-very-evil is-very-good is-very-nice
        is-very-sweet isa-geek js kicks-ass mayfirst misconfused mlbfan mozilla-iot my-firewall myfirewall myftp mysecuritycamera mywire
        nflfan no-ip now-dns pimienta podzone poivron potager read-books readmyblog selfip sellsyourhome servebbs serveftp servegame
        spdns stuff-4-sale sweetpepper tunk tuxfamily twmail ufcfan uklugs us webhop webredirect wmflabs za zapto) organic origins osaka
        otsuka ~ott ovh(nerdpol) pa(abo ac com edu gob ing med net nom org sld) page ^pamperedchef ~panasonic panerai paris pars
        partners parts party(ybo) passagens ~pay ~pccw pe(blogspot com edu gob mil net nom nym org) pet pf(com edu org) ~pfizer pg?(*)
        ph(com edu gov i mil net ngo org) pharmacy ~phd philips ~phone photo photography photos physio piaget pics pictet pictures(1337)
        pid pin ping pink ~pioneer pizza pk(biz com edu fam gob gok gon gop gos gov info net org web) pl(agro aid art atm augustow auto
        babia-gora bedzin beep beskidy bialowieza bialystok bielawa bieszczady biz boleslawiec bydgoszcz bytom cieszyn co com czeladz
        czest dlugoleka edu elblag elk gda gdansk gdynia gliwice glogow gmina gniezno gorlice gov(ap griw ic is kmpsp konsulat kppsp kwp
        kwpsp mup mw oirm oum pa pinb piw po psp psse pup rzgw sa sdn sko so sr starostwo ug ugim um umig upow uppo us uw uzs wif wiih
        winb wios witd wiw wsa wskr wuoz wzmiuw zp) grajewo gsm ilawa info jaworzno jelenia-gora jgora kalisz karpacz kartuzy kaszuby
        katowice kazimierz-dolny kepno ketrzyn klodzko kobierzyce kolobrzeg konin konskowola krakow kutno lapy lebork legnica lezajsk
        limanowa lomza lowicz lubin lukow mail malbork malopolska mazowsze mazury med media miasta mielec mielno mil mragowo naklo net
        nieruchomosci nom nowaruda nysa olawa olecko olkusz olsztyn opoczno opole org ostroda ostroleka ostrowiec ostrowwlkp pc pila
        pisz podhale podlasie polkowice pomorskie pomorze powiat poznan priv prochowice pruszkow przeworsk pulawy radom rawa-maz
        realestate rel rybnik rzeszow sanok sejny sex shop sklep skoczow slask slupsk sopot sos sosnowiec stalowa-wola starachowice
        stargard suwalki swidnica swiebodzin swinoujscie szczecin szczytno szkola targi tarnobrzeg tgory tm tourism travel turek
        turystyka tychy ustka walbrzych warmia warszawa waw wegrow wielun wlocl wloclawek wodzislaw wolomin wroc wroclaw zachpomor zagan
        zakopane zarow zgora zgorzelec) place play playstation plumbing plus pm(own) pn(co edu gov net org) ~pnc pohl poker ~politie
        porn post pr(ac biz com edu est gov info isla name net org pro prof) ~pramerica praxi press ~prime pro(aaa aca acct avocat bar
        barsy cloudns cpa dnstrace?(bci) eng jur law med recht) prod productions prof progressive promo properties property protection
        ~pru ~prudential ps(com edu gov net org plo sec) pt(blogspot com edu gov int net nome nym org publ) pub(barsy) pw(belau cloudns
        co ed go ne nom or x443) pwc py(com coop edu gov mil net org) qa(blogspot com edu gov mil name net nom org sch) qpon quebec
        quest ~qvc racing ~radio ~raid re(asso blogspot com nom) read ~realestate realtor realty recipes red redstone redumbrella rehab
        reise reisen reit ~reliance ren rent rentals repair report republican rest restaurant review(ybo) reviews rexroth rich
        ~richardli ricoh ~rightathome ~ril rio rip(clan) ~rmit ro(arts blogspot com firm info nom nt nym org rec shop store tm www)
        rocher rocks(lima-city myddns webspace) rodeo ~rogers room rs(ac blogspot co edu gov in nom org ox) rsvp ru(ac adygeya bashkiria
        bir blogspot cbg cldmail?(hb) com dagestan edu gov grozny int kalmykia kustanai marine mil mordovia msk myjino(hosting?(*)
        landing?(*) spectrum?(*) vps?(*)) mytis nalchik net nov org pp pyatigorsk ras spb test vladikavkaz vladimir) ~rugby ruhr
        run(development ravendb) rw(ac co com edu gouv gov int mil net) rwe ryukyu sa(com edu gov med net org pub sch) saarland safe
        safety sakura sale salon ~samsclub samsung sandvik sandvikcoromant sanofi sap sapo sarl sas ~save saxo sb(com edu gov net org)
        sbi sbs sc(com edu gov net org) sca scb schaeffler schmidt scholarships school schule schwarz science(ybo) ~scjohnson scor scot
        sd(com edu gov info med net org tv) se(a ac b bd blogspot brand c com d e f fh fhsk fhv g h i k komforb kommunalforbund komvux l
        lanbib m n naturbruksgymn o org p parti pp press r s t tm u w x y z) ~search seat ~secure security seek select sener services
        ~ses seven sew sex sexy sfr sg(blogspot com edu gov net org per) sh(com gov hashbang mil net now org platform?(*) wedeploy)
        ~shangrila sharp shaw shell shia shiksha shoes ~shop(barsy) ~shopping shouji show ~showtime shriram si(blogspot nom) ~silk sina
        singles site(barsy byen cyon platformsh?(*)) sj sk(blogspot nym) ski skin sky skype sl(com edu gov net org) ~sling sm ~smart
        smile sn(art blogspot com edu gouv org perso univ) sncf so(com net org) soccer social softbank software sohu solar solutions
        song sony soy space(linkitools stackspace uber xs4all) spiegel ~sport spot spreadbetting sr srl ~srt st(co com consulado edu
        embaixada gov mil net noho nom org principe saotome store) stada ~staples star starhub statebank statefarm statoil stc stcgroup
        stockholm storage store stream studio study style su(abkhazia adygeya aktyubinsk arkhangelsk armenia ashgabad azerbaijan
        balashov bashkiria bryansk bukhara chimkent dagestan east-kazakhstan exnet georgia grozny ivanovo jambyl kalmykia kaluga karacol
        karaganda karelia khakassia krasnodar kurgan kustanai lenug mangyshlak mordovia msk murmansk nalchik navoi north-kazakhstan nov
        nym obninsk penza pokrovsk sochi spb tashkent termez togliatti troitsk tselinograd tula tuva vladikavkaz vladimir vologda) sucks
        supplies supply support(barsy) surf surgery suzuki sv(com edu gob org red) swatch ~swiftcover swiss sx(gov nym) sy(com edu gov
        mil net org) sydney symantec systems(knightpoint) sz(ac co org) tab taipei talk taobao ~target tatamotors tatar tattoo tax taxi
        tc tci td(blogspot) ~tdk team tech technology tel telecity telefonica temasek tennis teva tf tg th(ac co go in mi net or) thd
        theater theatre ~tiaa tickets tienda tiffany tips tires tirol tj(ac biz co com edu go gov int mil name net nic nom org test web)
        ~tjmaxx ~tjx tk ~tkmaxx tl(gov) tm(co com edu gov mil net nom org) tmall tn(agrinet com defense edunet ens fin gov ind info intl
        mincom nat net org perso rnrt rns rnu tourism turen) to(com edu gov mil net org vpnplus) today tokyo tools top(now-dns ntdll)
        toray toshiba total tours town toyota toys tr(av bbs bel biz com(blogspot) dr edu gen gov info k12 kep mil name nc(gov) net org
        pol tel tv web) trade(ybo) trading training travel ~travelchannel travelers travelersinsurance trust trv tt(aero biz co com coop
        edu gov info int jobs mobi museum name net org pro travel) tube tui tunes tushu tv(better-than dyndns on-the-web worse-than) tvs
        tw(blogspot club com(mymailer) ebiz edu game gov idv mil net nym org url xn--czrw28b xn--uc0atv xn--zf0ao64a) tz(ac co go hotel
        info me mil mobi ne or sc tv) ua(biz cc cherkassy cherkasy chernigov chernihiv chernivtsi chernovtsy ck cn co com cr crimea cv
        dn dnepropetrovsk dnipropetrovsk dominic donetsk dp edu gov if in inf ivano-frankivsk kh kharkiv kharkov kherson khmelnitskiy
        khmelnytskyi kiev kirovograd km kr krym ks kv kyiv lg lt ltd lugansk lutsk lv lviv mk mykolaiv net nikolaev od odesa odessa org
        pl poltava pp rivne rovno rv sb sebastopol sevastopol sm sumy te ternopil uz uzhgorod vinnica vinnytsia vn volyn yalta
        zaporizhzhe zaporizhzhia zhitomir zhytomyr zp zt) ~ubank ubs ~uconnect ug(ac blogspot co com go ne nom or org sc) uk(ac barsy
        co(barsy barsyonline blogspot gwiddle nh-serv no-ip wellbeingzone) gov(homeoffice service) ltd me net nhs org(glug lug lugs) plc
        police sch?(*)) unicom university uno uol ~ups us(ak(cc k12 lib) al(cc k12 lib) ar(cc k12 lib) as(cc k12 lib) az(cc k12 lib)
        ca(cc k12 lib) cloudns co(cc k12 lib) ct(cc k12 lib) dc(cc k12 lib) de(cc k12 lib) dni drud fed fl(cc k12 lib) freeddns ga(cc
        k12 lib) golffan gu(cc k12 lib) hi(cc lib) ia(cc k12 lib) id(cc k12 lib) il(cc k12 lib) in(cc k12 lib) is-by isa kids ks(cc k12
        lib) ky(cc k12 lib) la(cc k12 lib) land-4-sale ma(cc k12(chtr paroch pvt) lib) md(cc k12 lib) me(cc k12 lib) mi(ann-arbor cc cog
        dst eaton gen k12 lib mus tec washtenaw) mn(cc k12 lib) mo(cc k12 lib) ms(cc k12 lib) mt(cc k12 lib) nc(cc k12 lib) nd(cc lib)
        ne(cc k12 lib) nh(cc k12 lib) nj(cc k12 lib) nm(cc k12 lib) noip nsn nv(cc k12 lib) ny(cc k12 lib) oh(cc k12 lib) ok(cc k12 lib)
        or(cc k12 lib) pa(cc k12 lib) pointto pr(cc k12 lib) ri(cc k12 lib) sc(cc k12 lib) sd(cc lib) stuff-4-sale tn(cc k12 lib) tx(cc
        k12 lib) ut(cc k12 lib) va(cc k12 lib) vi(cc k12 lib) vt(cc k12 lib) wa(cc k12 lib) wi(cc k12 lib) wv(cc) wy(cc k12 lib))
        uy(com(blogspot) edu gub mil net nom org) uz(co com net org) va vacations vana ~vanguard vc(com edu gov mil net nom org) ve(arts
        co com e12 edu firm gob gov info int mil net org rec store tec web) vegas ventures verisign versicherung vet vg(nom) vi(co com
        k12 net org) viajes video vig viking villas vin vip virgin ~visa vision vista vistaprint viva ~vivo vlaanderen vn(ac biz
        blogspot com edu gov health info int name net org pro) vodka volkswagen ~volvo vote voting voto voyage vu(com edu net org)
        vuelos wales ~walmart walter wang wanggou ~warman watch watches weather weatherchannel webcam weber website wed wedding weibo
        weir wf whoswho wien wiki williamhill win windows wine ~winners wme wolterskluwer ~woodside work works world ~wow ws(advisor?(*)
        cloud66 com dyndns edu gov mypets net org) wtc wtf xbox xerox ~xfinity xihuan xin xn--11b4c3d xn--1ck2e1b xn--1qqw23a
        ~xn--2scrj9c xn--30rr7y xn--3bst00m xn--3ds443g xn--3e0b707e ~xn--3hcrj9c ~xn--3oq18vl8pn36a xn--3pxu8k xn--42c2d9a
        ~xn--45br5cyl xn--45brj9c xn--45q11c xn--4gbrim ~xn--54b7fta0cc xn--55qw42g xn--55qx5d ~xn--5su34j936bgsg xn--5tzm5g xn--6frz82g
        xn--6qq986b3xl xn--80adxhks xn--80ao21a ~xn--80aqecdr1a xn--80asehdb xn--80aswg xn--8y0a063a xn--90a3ac(xn--80au xn--90azh
        xn--c1avg xn--d1at xn--o1ac xn--o1ach) ~xn--90ae xn--90ais xn--9dbq2a xn--9et52u xn--9krt00a xn--b4w605ferd xn--bck1b9a5dre4c
        xn--c1avg xn--c2br7g xn--cck2b3b xn--cg4bki xn--clchc0ea0b2g2a9gcd xn--czr694b xn--czrs0t xn--czru2d xn--d1acj3b xn--d1alf
        xn--e1a4c xn--eckvdtc9d xn--efvy88h xn--estv75g xn--fct429k xn--fhbei xn--fiq228c5hs xn--fiq64b xn--fiqs8s xn--fiqz9s
        xn--fjq720a xn--flw351e xn--fpcrj9c3d xn--fzc2c9e2c ~xn--fzys8d69uvgm xn--g2xx48c xn--gckr3f0f xn--gecrj9c ~xn--gk3at1e
        ~xn--h2breg3eve xn--h2brj9c ~xn--h2brj9c8c xn--hxt814e xn--i1b6b1a6a2e xn--imr513n xn--io0a7i xn--j1aef xn--j1amh
        xn--j6w193g(xn--55qx5d xn--gmqw5a xn--mxtq1m xn--od0alg xn--uc0atv xn--wcvs22d) xn--jlq61u9w7b xn--jvr189m xn--kcrx77d1x4a
        xn--kprw13d xn--kpry57d xn--kpu716f xn--kput3i xn--l1acc xn--lgbbat1ad8j ~xn--mgb2ddes xn--mgb9awbf xn--mgba3a3ejt
        xn--mgba3a4f16a ~xn--mgba3a4fra ~xn--mgba7c0bbn0a ~xn--mgbaakc7dvf xn--mgbaam7a8h xn--mgbab2bd ~xn--mgbai9a5eva00b
        ~xn--mgbai9azgqp6j xn--mgbayh7gpa xn--mgbb9fbpob ~xn--mgbbh1a xn--mgbbh1a71e xn--mgbc0a9azcg xn--mgbca7dzdo ~xn--mgberp4a5d4a87g
        xn--mgberp4a5d4ar ~xn--mgbgu82a ~xn--mgbi4ecexp xn--mgbpl2fh ~xn--mgbqly7c0a67fbc ~xn--mgbqly7cvafr xn--mgbt3dhd ~xn--mgbtf8fl
        xn--mgbtx2b xn--mgbx4cd0ab ~xn--mix082f xn--mix891f xn--mk1bu44c xn--mxtq1m xn--ngbc5azd xn--ngbe9e0a ~xn--ngbrx ~xn--nnx388a
        xn--node xn--nqv7f xn--nqv7fs00ema xn--nyqy26a xn--o3cw4h(xn--12c1fe0br xn--12cfi8ixb8l xn--12co0c3b4eva xn--h3cuzk1di
        xn--m3ch0j3a xn--o3cyx2a) xn--ogbpf8fl ~xn--otu796d xn--p1acf xn--p1ai xn--pbt977c xn--pgbs0dh xn--pssy2u xn--q9jyb4c
        xn--qcka1pmc xn--qxam xn--rhqv96g xn--rovu88b ~xn--rvc1e0am3e xn--s9brj9c xn--ses554g xn--t60b56a xn--tckwe ~xn--tiq49xqyj
        xn--unup4y xn--vermgensberater-ctb xn--vermgensberatung-pwb xn--vhquv xn--vuq861b xn--w4r85el8fhu5dnra ~xn--w4rs40l xn--wgbh1c
        xn--wgbl6a xn--xhq521b xn--xkc2al3hye2a xn--xkc2dl3a5ee0h xn--y9a3aq xn--yfro4i67o xn--ygbi2ammx xn--zfr164b xperia xxx
        xyz(blogsite crafting fhapp zapto) yachts yahoo yamaxun yandex ye?(*) yodobashi yoga yokohama you youtube yt yun za?(ac agric
        alt co(blogspot) edu gov grondar law mil net ngo nis nom org school tm web) ~zappos zara zero zip ~zippo zm(ac biz co com edu
        gov info mil net org sch) zone(lima triton?(*)) zuerich zw(ac co gov mil org)
        """
}
