/**
 * What fields mean: what words stand for one another (`Vocabulary`), and what is known of some of these meanings.
 */

export type ConceptKind =
  | "text"
  | "money"
  | "currency"
  | "number"
  | "date"
  | "url"
  | "email"
  | "phone"
  | "status"
  | "duration"

export interface Concept {
  readonly id: string
  readonly broader?: string
  /** Whether what is broader may stand for it. */
  readonly isLoose: boolean
  readonly kind: ConceptKind
}

/**
 * The words that stand for one another, in the languages that pages are written in. This is the only place for such words;
 * nothing here names a site. `Concepts` reads them.
 *
 * A line is `id [< broader] [#kind]: phrase | phrase`. A phrase is in small letters, without marks, in the singular. What
 * is broader may stand for what is narrower and the other way round, less surely; where `<-` stands only the narrower for
 * the broader: a closing date is a date, a date is not a closing date. The kind says how values are written.
 */
const vocabulary = `
title: title | name | headline | heading | item name | product name | product title | full name | titel | bezeichnung | produktname | nom | titre | nombre | titulo | nome | titolo | naam | label | subject | titulo del articulo | название | заголовок | наименование | 标题 | 標題 | 名称 | 名稱 | 商品名 | 商品名称 | タイトル | 題名 | 件名 | 見出し | 제목 | 이름 | tytul | nazwa | العنوان | الاسم | اسم المنتج | عنوان | نام | نام محصول | כותרת | שם | שם המוצר | שם מוצר | शीर्षक | नाम | ชื่อ | ชื่อสินค้า | หัวข้อ | tiêu đề | tên | tên sản phẩm | judul | nama | nama produk | τίτλος | όνομα | শিরোনাম | নাম
description: description | summary | abstract | about | blurb | overview | teaser | excerpt | short description | beschreibung | zusammenfassung | resume | descripcion | resumen | descrizione | beschrijving | descricao | synopsis | details | desc | resumo | sommario | riassunto | omschrijving | samenvatting | описание | 描述 | 简介 | 說明 | 说明 | 摘要 | 概要 | 説明 | 설명 | opis | الوصف | وصف | توضیحات | תיאור | विवरण | รายละเอียด | คำอธิบาย | mô tả | deskripsi | περιγραφή | বিবরণ
body: body | article body | text | content | full text | review body | inhalt | contenu | contenido | message | texte | texto | testo | tekst | corpo | cuerpo | corps | full article | article text | full content | main text | contenuto | текст | 正文 | 内容 | 內容 | 本文 | 본문
price #money: price | cost | amount | retail price | unit price | current price | selling price | price amount | fee | preis | kosten | gebuhr | prix | tarif | precio | prezzo | costo | prijs | preco | valor | rate | retail | asking price | how much | costs | цена | стоимость | 价格 | 售价 | 價格 | 価格 | 値段 | 料金 | 가격 | cena | tarief | pris | eur | euro | usd | dollar | gbp | sterling | السعر | سعر | قیمت | מחיר | कीमत | मूल्य | ราคา | giá | giá bán | harga | τιμή | মূল্য | দাম
lowprice #money: low price | min price | price min | price from | lowest price | minimum price | starting price | price low | starting at | cheapest | cheapest price | cheapest ticket | from price
highprice #money: high price | max price | price max | price to | highest price | maximum price | price high
listprice #money: list price | regular price | original price | old price | rrp | msrp | was price | price before | strikethrough price | uvp | statt | full price | previous price
saleprice #money: sale price | discounted price | special price | deal price | reduced price | angebotspreis | now price
shippingcost #money: shipping cost | shipping | delivery cost | postage | shipping price | shipping rate | versandkosten | frais de port | delivery fee
salary #money: salary | pay | wage | base salary | compensation | remuneration | income | gehalt | lohn | vergutung | salaire | salario | sueldo | stipendio | retribuzione | salaris | зарплата | 薪资 | 工资 | 給与 | 月給 | 年収 | 급여 | الراتب | حقوق | שכר | वेतन | เงินเดือน | mức lương | lương | gaji | μισθός
lowsalary #money: min salary | salary min | minimum salary | salary from | pay from | base salary min value
highsalary #money: max salary | salary max | maximum salary | salary to | pay to | base salary max value
currency #currency: currency | currency code | devise | wahrung | moneda | valuta | moeda | money unit | monetary unit | currency symbol | валюта | 货币 | 貨幣 | 通貨 | 통화 | العملة | واحد پول | מטבע | मुद्रा | สกุลเงิน | tiền tệ | mata uang | νόμισμα
pricerange: price range | price level | price category | price class
discount: discount | saving | rabatt | remise | descuento | sconto | korting | reduction
tax: tax | vat | mwst | tva | iva | btw
image #url: image | photo | picture | thumbnail | image url | photo url | picture url | thumbnail url | img | bild | foto | imagen | immagine | afbeelding | imagem | изображение | 图片 | 圖片 | 画像
logo <- image #url: logo
url #url: url | link | href | page url | canonical | permalink | source url | canonical url | og url | web address | item url | uri | detail url | address url | web page | webpage | weblink | hyperlink | lien | enlace | collegamento | ссылка | 链接 | 網址 | リンク | 링크
website < url #url: website | homepage | web site | official website | company website | webseite | site web | sitio web | sito web
author: author | writer | creator | byline | by | written by | author name | posted by | autor | auteur | autore | verfasser | von | redacteur | who wrote | who wrote it | written | автор | 作者 | 著者 | 筆者 | 저자 | autorin | الكاتب | المؤلف | نویسنده | מחבר | כותב | लेखक | ผู้เขียน | tác giả | penulis | συγγραφέας | συντάκτης | লেখক
person: person | contact person | contact name | member | people | councillor | speaker | employee | mitglied | ansprechpartner
publisher: publisher | site | verlag | editeur | editorial | editore | uitgever | site name
date #date: date | datum | fecha | data | day | jour | when | dated | quand | wann | cuando | дата | 日期 | 日付 | 날짜 | التاريخ | تاریخ | תאריך | दिनांक | तिथि | วันที่ | ngày | tanggal | ημερομηνία | তারিখ
published < date #date: published | date published | published at | published on | publish date | publication date | published time | published date | date posted | posted | posted on | posted at | post date | posting date | advertised | advertised on | advertised at | listed on | date listed | pubdate | pub date | created | created at | date created | upload date | uploaded | issued | date issued | issue date | first published | release date | released | veroffentlicht | erschienen | publie | date de publication | publicado | fecha de publicacion | pubblicato | gepubliceerd | date publication | publie le | publicado el | publicado em | veroffentlicht am | data di pubblicazione | data pubblicazione | дата публикации | опубликовано | 发布日期 | 发布时间 | 發佈日期 | 公開日 | 投稿日 | 掲載日 | 게시일 | تاريخ النشر | تاریخ انتشار | תאריך פרסום | प्रकाशित | प्रकाशन तिथि | วันที่เผยแพร่ | ngày đăng | tanggal terbit | ημερομηνία δημοσίευσης
modified <- date #date: modified | updated | date modified | modified time | last updated | updated at | last modified | modified at | updated on | update date | last update | revised | aktualisiert | geandert | zuletzt aktualisiert | mis a jour | modifie le | actualizado | aggiornato | last change | last changed | last modification | last edited | edited | last revised | обновлено | 更新日期 | 更新时间 | 最后更新 | 最終更新 | 更新日 | atualizado
deadline <- date #date: deadline | closing | valid through | closing date | closes | closes on | apply before | apply by | application deadline | apply until | expire | expires on | expiry | expiration date | expiry date | valid until | price valid until | due date | due | end of application | bewerbungsfrist | bewerbungsschluss | date limite | fecha limite | scadenza | sluitingsdatum | apply till | 応募締切 | 締切 | 締切日 | 申込期限 | 截止日期 | 截止
effective <- date #date: effective | effective date | in force since | in force from | in force | effective from | date in force | valid from | legislation date version | commencement | commencement date | in kraft seit | in kraft | en vigueur depuis | date d entree en vigueur | vigente desde | entry into force | took effect | valid since | applies from | applicable from | gultig ab
startdate <- date #date: start date | start | starts | begin | begins | starts at | start time | from date | beginn | debut | inicio | inizio | event date | starts on
enddate <- date #date: end date | end | ends | ends at | end time | until | ende | fin | fine
birthdate <- date #date: birth date | date of birth | born | birthday | geburtsdatum | dob
year: year | jahr | annee | ano | anno | jaar
time: time | hour | opening hour | opening times | offnungszeit | uhrzeit | horaire | horario | orario | heures d ouverture |営業時間 | 营业时间 | 開館時間
duration #duration: duration | length of time | running time | runtime | total time | dauer | duree | duracion | durata | duur | ready in | gesamtzeit | temps total | tiempo total | tempo totale | tempo total | totale tijd | total tid | общее время | 所要時間 | 总时间
preptime #duration: prep time | preparation time | zubereitungszeit | prep | vorbereitungszeit | temps de preparation | tiempo de preparacion | tempo di preparazione | arbeitszeit | vorbereitung | forberedelse | tiempo de elaboracion | 準備時間
cooktime #duration: cook time | cooking time | cuisson | kochzeit | bake time | baking time | backzeit | garzeit | temps de cuisson | tiempo de coccion | tempo di cottura | kochdauer | koch backzeit | garzeit | 調理時間
weekday #status: weekday | day of week | day of the week | wochentag | jour de la semaine | dia de la semana | giorno della settimana | день недели | 曜日
monday: monday | mon | montag | lundi | lunes | lunedi | maandag | segunda feira | понедельник | 月曜日
tuesday: tuesday | tue | dienstag | mardi | martes | martedi | dinsdag | terca feira | вторник | 火曜日
wednesday: wednesday | wed | mittwoch | mercredi | miercoles | mercoledi | woensdag | quarta feira | среда | 水曜日
thursday: thursday | thu | donnerstag | jeudi | jueves | giovedi | donderdag | quinta feira | четверг | 木曜日
friday: friday | fri | freitag | vendredi | viernes | venerdi | vrijdag | sexta feira | пятница | 金曜日
saturday: saturday | sat | samstag | sonnabend | samedi | sabado | sabato | zaterdag | суббота | 土曜日
sunday: sunday | sun | sonntag | dimanche | domingo | domenica | zondag | воскресенье | 日曜日
opens <- time: opening time | open | geoffnet | offen | ouvert | ouverte | abierto | abierta | aperto | aperta | geopend | opens | opens at | open at | open time | apertura | geoffnet ab
closes: close | closes at | close time | closing time | closing hour | cierre | chiusura
stop: stop | bus stop | haltestelle | arret | parada | fermata | halte | остановка | 停留所
departure: departure | departure time | departs | abfahrt | depart | salida | partenza | vertrek | отправление | 出発 | 発車時刻 | المغادرة
arrival: arrival | arrival time | arrives | ankunft | arrivee | llegada | arrivo | aankomst | прибытие | 到着 | 到着時刻 | الوصول
platform: platform | gleis | bahnsteig | voie | anden | binario | perron | платформа | 番線
phone #phone: phone | telephone | tel | phone number | telephone number | mobile | cell | call us | telefon | telefonnummer | telefono | telefoon | telefone | телефон | 电话 | 電話 | 電話番号 | 전화 | الهاتف | هاتف | تلفن | טלפון | फ़ोन | โทรศัพท์ | điện thoại | telepon | τηλέφωνο | ফোন
contact: contact | contact detail | contact info | contact information | contact point | kontakt | impressum | how to reach us
fax: fax | fax number | faxnumber
email #email: email | mail | e mail | email address | contact email | courriel | correo | correo electronico | почта | 邮箱 | 电子邮件 | メール | メールアドレス | 이메일 | البريد الإلكتروني | ایمیل | דואר אלקטרוני | אימייל | ईमेल | อีเมล | thư điện tử | surel | ηλεκτρονικό ταχυδρομείο | ইমেইল
rating #number: rating | rating value | score | star | average rating | star rating | review score | average score | mean score | bewertung | note | puntuacion | valoracion | valutazione | beoordeling | рейтинг | 评分 | 評分 | 評価 | 평점 | التقييم | امتیاز | דירוג | रेटिंग | คะแนน | đánh giá | penilaian | βαθμολογία
bestrating #number: best rating | max rating | rating scale
worstrating #number: worst rating
review: review | opinion | testimonial | feedback | rating total | kundenbewertung | bewertungen | avis | resena | recensione | customer review | user review
comment: comment | kommentar | commentaire | comentario | commento | reply | remark
count #number: count | number of | quantity of | total | how many | anzahl | nombre de | numero de | numero di | aantal
quantity #number: quantity | qty | stock level | inventory level | menge | units in stock | stock quantity | stock count
availability #status: availability | in stock | stock | available | is available | stock status | is in stock | verfugbarkeit | lieferbar | disponibilite | disponibilidad | disponibilita | beschikbaarheid | delivery status | can buy | can buy now | buyable | purchasable | orderable | sold out | out of stock | unavailable | lieferbarkeit | disponible | disponibile | disponivel | verfugbar | ausverkauft | наличие | 库存 | 庫存 | 在庫 | 재고 | التوفر | حالة التوفر | موجودی | وضعیت موجودی | זמינות | מלאי | उपलब्धता | สถานะสินค้า | tình trạng | tình trạng kho | ketersediaan | stok | διαθεσιμότητα | প্রাপ্যতা
condition #status: condition | item condition | zustand | etat
sku < reference: sku | sku number | sku no | sku code | sku # | article number | article no | article # | article code | item number | item no | item nr | item # | item id | item code | item ref | article id | product id | product code | product number | product no | product nr | product # | product ref | product reference | product sku | style number | style no | style # | style id | stock keeping unit | stock code | stock number | stock no | catalog number | catalogue number | catalog no | catalogue no | cat no | catalog # | order number | order no | order code | art nr | art no | art | artikelnummer | artikel nr | artikel nummer | artikel no | artikelnr | artikelcode | artikel id | artnr | best nr | bestellnummer | bestell nr | bestellnr | produktnummer | produkt nr | produktcode | produkt id | bestelnummer | productnummer | productcode | reference produit | reference du produit | ref produit | reference article | ref article | code article | code produit | numero d article | numero de produit | numero article | referencia del producto | referencia de producto | referencia do produto | ref producto | codigo de producto | codigo del producto | codigo de articulo | codigo del articulo | numero de articulo | codigo do produto | codigo do artigo | cod produto | cod produs | codice articolo | codice prodotto | cod articolo | cod prodotto | numero articolo | articolo n | varenr | varenummer | vare nr | artikkelnummer | artikkelnr | produktnr | tuotenumero | tuotekoodi | tuotenro | numer katalogowy | nr katalogowy | kod produktu | numer artykulu | nr artykulu | indeks produktu | katalogove cislo | kod zbozi | cislo zbozi | cikkszam | urun kodu | stok kodu | артикул | код товара | код товару | номер товара | 货号 | 商品货号 | 商品编号 | 商品編號 | 商品编码 | 貨號 | 品番 | 商品番号 | 商品コード | 製品番号 | 상품번호 | 상품코드 | 품번 | رقم المنتج | رمز المنتج | رقم الموديل | کد محصول | کد کالا | شناسه کالا | מקט | מק ט | מספר קטלוגי | उत्पाद कोड | आइटम संख्या | รหัสสินค้า | mã sản phẩm | mã hàng | kode produk | kode barang | κωδικός προϊόντος | κωδικός | পণ্য কোড
asin <- sku: asin
mpn: mpn | manufacturer part number | manufacturer part no | manufacturer number | manufacturer reference | manufacturer ref | manufacturer sku | mfr part number | mfr no | mfg part number | mfg part no | mfg number | part number | part no | part nr | part # | herstellernummer | hersteller nr | hersteller artikelnummer | herstellerartikelnummer | hersteller art nr | hersteller teilenummer | teilenummer | onderdeelnummer | fabrikantnummer | reference fabricant | ref fabricant | reference constructeur | ref constructeur | numero de pieza | referencia fabricante | referencia del fabricante | codice produttore | codigo do fabricante | tillverkarens artikelnummer | kod producenta | код производителя | メーカー型番
modelnumber <- model: model number | model no | model nr | model # | model id | item model number | model code | modellnummer | modell nr | modelnummer | numero de modele | numero de modelo | numero di modello | codice modello | numer modelu | номер модели | 型番 | 型式 | 规格型号
gtin: gtin | gtin 13 | gtin 14 | gtin 8 | gtin8 | gtin14 | barcode | bar code | barcode number | strichcode | code barre | code barres | code à barres | codigo de barra | codigo de barras | codice a barre | streepjescode | streckkod | штрихкод | штрих код | 条码 | 条形码 | バーコード
ean < gtin: ean | ean13 | ean 13 | ean8 | ean 8 | ean code | ean nummer | ean nr | ean koodi | code ean | codigo ean | codice ean | kod ean | gtin13 | jan | jan code | janコード
upc < gtin: upc | upc code | upc a | gtin12 | gtin 12
isbn: isbn | isbn13 | isbn10 | isbn 13 | isbn 10
reference: reference | ref | reference number | reference no | reference nr | reference code | ref number | ref no | ref nr | referenz | referenznummer | referencia | numero de reference | numero de referencia | riferimento | codigo | cod | codice | code de reference | референс | код
identifier < reference: identifier | id | job id | reference id | kennziffer | case number | document number | docket number
number: number | no | nr | num | numero | nummer | #
rank < number: rank | ranking | standing | pos | platz | rang | classement | clasificacion | classifica | место | 順位 | 排名 | الترتيب
bedroom #number: bedroom | bed | bd | bds | br | schlafzimmer | chambre a coucher | dormitorio | camera da letto | slaapkamer | quarto
bathroom #number: bathroom | bath | ba | badezimmer | salle de bain | bano | bagno | badkamer | banheiro
points #number: point | pts | pkt | punkt | punti | puntos | ponto | очки | 勝点 | النقاط
team: team | club | clube | mannschaft | verein | equipe | equipo | squadra | equipa | ploeg | druzyna | команда | клуб | チーム | クラブ | 球队 | 팀 | الفريق
played #number: played | game played | match played | matches played | games played | pld | partidos jugados | partite giocate | matchs joues | gespielt | 試合数
won #number: won | win | wins | victory | games won | matches won | gewonnen | siege | victoire | victoria | vittoria
drawn #number: drawn | draw | draws | tied | games drawn | matches drawn | unentschieden | match nul | empate | pareggio
lost #number: lost | loss | losses | defeat | games lost | matches lost | niederlage | defaite | derrota | sconfitta
goalsfor #number: goals for | goals scored | points for | runs for | tore erzielt | buts pour | goles a favor | gol fatti
goalsagainst #number: goals against | goals conceded | points against | runs against | gegentore | buts contre | goles en contra | gol subiti
goaldifference #number: goal difference | goal diff | gd | tordifferenz | difference de buts | diferencia de goles | differenza reti | 得失点差
section: section | paragraph | clause | legislation identifier | abschnitt | paragraf | articulo | articolo
chapter: chapter | kapitel | chapitre | capitulo
brand: brand | manufacturer | maker | make | made by | marke | hersteller | marque | fabricant | marca | fabricante | produttore | merk | brand name | craftsman | producer | who made | who made it | who makes it | produced by | бренд | производитель | 品牌 | ブランド | メーカー | 制造商 | 브랜드 | varumarke | mærke | merke | tuotemerkki | valmistaja | producent | vyrobce | znacka | gyarto | marka | producator | uretici | tillverkare | виробник | 제조사 | العلامة التجارية | الماركة | الشركة المصنعة | برند | سازنده | מותג | יצרן | ब्रांड | ब्रैंड | निर्माता | แบรนด์ | ยี่ห้อ | thương hiệu | nhãn hiệu | hãng sản xuất | merek | merk | μάρκα | κατασκευαστής | ব্র্যান্ড
model: model | modell | modele | modelo | modello | model name | modellbezeichnung | модель | 型号 | 型號 | 모델 | 모델명 | الموديل | مدل | דגם | मॉडल | รุ่น | kiểu máy | μοντέλο
color: color | colour | farbe | couleur | colore | kleur | cor | цвет | 颜色 | 顏色 | 色 | farg | farve | farge | vari | kolor | barva | szin | culoare | renk | колір | カラー | 색상 | اللون | رنگ | צבע | रंग | สี | màu sắc | màu | warna | χρώμα | রং
size: size | grosse | taille | talla | taglia | maat | tamanho | размер | 尺寸 | サイズ | المقاس | الحجم | سایز | اندازه | מידה | גודל | आकार | ขนาด | kích thước | kích cỡ | ukuran | μέγεθος
dimension: dimension | measurement | abmessung | masse
weight #number: weight | gewicht | poid | peso | mass | heavy | вес | 重量 | vikt | vaegt | vægt | vekt | paino | waga | hmotnost | suly | greutate | agırlık | agirlik | вага | 무게 | 중량 | الوزن | وزن | משקל | वजन | भार | น้ำหนัก | trọng lượng | khối lượng | cân nặng | berat | βάρος | ওজন
height #number: height | hohe | hauteur | altura | altezza | tall | hojd | højde | høyde | korkeus | wysokosc | vyska | magassag | inaltime | yukseklik | высота | 高さ | 高度 | الارتفاع | ارتفاع | גובה | ऊंचाई | ความสูง | chiều cao | tinggi | ύψος
width #number: width | breite | largeur | ancho | larghezza | bredd | bredde | leveys | szerokosc | sirka | szelesseg | latime | genislik | ширина | 幅 | 宽度 | العرض | عرض | רוחב | चौड़ाई | ความกว้าง | chiều rộng | lebar | πλάτος
depth #number: depth | length | tiefe | lange | djup | dybde | syvyys | głebokosc | hloubka | melyseg | длина | глубина | 奥行 | 長さ | 长度
material: material | materials | fabric | materiau | materiale | المادة | الخامة | جنس | חומר | सामग्री | วัสดุ | chất liệu | bahan | υλικό
origin: made in | country of origin | origin | herkunft | herkunftsland | pays d origine | origen | provenance | origine | provenienza | 产地 | 原産国
warranty: warranty | guarantee | garantie | garantia | garanzia
category: category | section name | article section | genre | kategorie | rubrik | categorie | categoria | topic area | department | product category | rubrique | rubro | категория | 分类 | 分類 | カテゴリー | 카테고리 | الفئة | التصنيف | دسته بندی | קטגוריה | श्रेणी | หมวดหมู่ | danh mục | kategori | κατηγορία
keyword: keyword | tag | article tag | topic | schlagwort | mots cle | etiqueta | label list | теги | 标签 | 標籤 | タグ
language: language | in language | lang | sprache | langue | idioma | lingua | taal
organization: organization | organisation | company | employer | hiring organization | company name | employer name | firm | business | business name | agency | organizer | host organization | arbeitgeber | firma | unternehmen | entreprise | employeur | empresa | azienda | bedrijf | werkgever | organization name | компания | 公司 | 公司名称 | 会社 | 会社名 | 企業 | 회사 | الشركة | شرکت | חברה | कंपनी | บริษัท | công ty | perusahaan | εταιρεία
seller: seller | vendor | merchant | sold by | shop name | store name | verkaufer | vendeur | vendedor
customer: customer | client | buyer | bill to | billed to | invoice to | sold to | kunde | rechnung an | facture a | facturer a | cliente | facturar a
payee: payee | beneficiary | recipient | pay to | supplier | zahlungsempfanger | empfanger | beneficiaire | fournisseur | beneficiario | proveedor | fornitore
location: location | place | الموقع | المكان | مكان العمل | job location | where | based in | work location | site | ort | standort | arbeitsort | lieu | ubicacion | lugar | luogo | sede | locatie | plaats | office location | место | 地点 | 地點 | 場所 | 勤務地 | 所在地 | 위치
venue < location: venue | location name | veranstaltungsort | stadium | theatre | concert hall | arena | auditorium | concert venue | salle | 会場
town < location: town | city | address locality | locality | municipality | stadt | ville | ciudad | citta | stad | cidade | city name | город | 城市 | 도시 | المدينة | شهر | עיר | शहर | เมือง | thành phố | kota | πόλη
region <- location: region | state | province | address region | county | bundesland | provincia | estado
country <- location: country | address country | land | pays | pais | paese | nation | الدولة | البلد | کشور | מדינה | देश | ประเทศ | quốc gia | negara | χώρα
postcode: postcode | postal code | zip | zip code | plz | code postal | codigo postal | cap
street: street | street address | address line | strasse | rue | calle | via
address: address | postal address | adresse | anschrift | direccion | indirizzo | adres | endereco | full address | адрес | 地址 | 住所 | 주소 | العنوان البريدي | آدرس | כתובת | पता | ที่อยู่ | địa chỉ | alamat | διεύθυνση | ঠিকানা
latitude #number: latitude | lat
longitude #number: longitude | lng | lon | long
job: job | position | role | job title | vacancy | occupation | job posting | stelle | stellenbezeichnung | poste | puesto | ruolo | functie | vaga | opening | должность | 职位 | 職種 | 직무 | الوظيفة | المسمى الوظيفي | عنوان شغلی | משרה | תפקיד | पद | ตำแหน่ง | ตำแหน่งงาน | chức danh | vị trí | jabatan | θέση εργασίας
employment #status: employment type | نوع العمل | نوع الوظيفة | نوع الدوام | contract | contract type | job type | type of employment | working hour | hour of work | employment | work type | schedule | position type | engagement | beschaftigungsart | vertragsart | type de contrat | tipo de contrato | tipo di contratto | dienstverband | 雇用形態 | 工作类型
duty: duty | responsibility | task | what you will do | what you ll do | your role | your tasks | your responsibilities | key responsibilities | the role | job duty | aufgabe | deine aufgaben | ihre aufgaben | missions | vos missions | funciones | mansioni | taken
requirement: requirement | qualification | skill | what you bring | what you need | who you are | your profile | you have | experience | experience requirement | anforderung | dein profil | ihr profil | profil recherche | requisito | requisiti | vereisten
benefit: benefit | what we offer | we offer | job benefit | perk | wir bieten | avantage | beneficio
ingredient: ingredient | recipe ingredient | zutat | ingrediente | 材料 | 食材 | ingredienten | ingredienser | ainekset | skladniki | skladnik | ingredience | hozzavalo | hozzavalok | malzemeler | ингредиенты | ингредиент | المكونات | المقادير | مواد لازم | מרכיבים | מצרכים | सामग्री सूची | ส่วนผสม | วัตถุดิบ | nguyên liệu | bahan bahan | υλικά
instruction: instruction | recipe instruction | step | method | direction | zubereitung | preparation | how to | 作り方 | 步骤 | anleitung | zubereitungsschritt | etape | etapes | elaboracion | instrucciones | preparazione | procedimento | modo de preparo | preparacao | bereiding | tillagning | gor sa har | fremgangsmade | valmistus | przygotowanie | sposob przygotowania | postup | elkeszites | yapilisi | приготовление | 做法 | طريقة التحضير | الخطوات | طرز تهیه | אופן ההכנה | הוראות הכנה | विधि | बनाने की विधि | วิธีทำ | cách làm | cách chế biến | cara membuat | langkah | εκτέλεση
yield #number: yield | recipe yield | serving | portion | serves | yields | portionen | personen | pour | raciones | porciones | porzioni | porties | portioner | порций | 人数 | 份量
act: act | ordinance | statute | bill | decree | law | legislation | amending act | ordinance number | gesetz | verordnung | loi | ley | legge | wet
amendment: amended by | amendment | history | legislative history | amendment history | amended | change history | anderung | revision history | legislation amendment | legislation changed by
change: change | what changed | action | effect | nature of change | revision | anderungen
status #status: status | state of | event status | legal force | legislation legal force | zustand der
vote #number: vote | elected with | stimme
party: party | partei | parti
ward: ward | district | constituency | wahlkreis
question: question | frage | pregunta | domanda
answer: answer | accepted answer | antwort | reponse | respuesta | risposta
feature: feature | highlight | specification | spec | key feature | merkmal | caracteristique | caracteristica
population #number: population | inhabitant | einwohner | habitant | poblacion
offer: offer | pricing | purchase option | buying option | angebot | offre | oferta
variant: variant | option | variation | hasvariant
article: article | post | blog post | blog posting | news article | story | news | beitrag
product: product | item | goods | produkt | artikel | produit | producto | prodotto | merchandise | goods
code: code | code sample | code example | code block | code snippet | snippet | example code | sample code | source listing
term: term | begriff | terme | termino | glossary term | glossary entry
definition < description: definition | meaning | explanation | bedeutung | erklarung | signification | significado | significato
event: event | veranstaltung | evenement | evento | meeting | session | concert | gig
company_fact: mission | motto | slogan
` as const

/** Broader first, so that a phrase in two lines means the first. */
const parsed = vocabulary
  .trim()
  .split("\n")
  .map((line) => {
    const cut = line.indexOf(":")
    const head = line.slice(0, cut)
    const [id = "", broader] = head.replace(/#\w+/, "").trim().split(/ <-? /)
    const isLoose = !head.includes("<-")
    const kind = kinds().find((one) => head.includes(`#${one}`)) ?? "text"
    const concept: Concept = broader === undefined ? { id, kind, isLoose } : { id, kind, broader, isLoose }
    return {
      concept,
      phrases: line
        .slice(cut + 1)
        .split("|")
        .map((phrase) => phrase.trim())
    }
  })

function kinds(): ReadonlyArray<ConceptKind> {
  return ["money", "currency", "number", "date", "url", "email", "phone", "status", "duration"]
}

const plain: Readonly<Record<string, string>> = { đ: "d", Đ: "D", ł: "l", Ł: "L", ø: "o", Ø: "O", ı: "i", ß: "ss" }

/**
 * Letters without their marks: keys of a schema are mostly written so, `ngay_dang` for "Ngày đăng". Some marks are a part of
 * their letter, and Unicode does not take them apart.
 */
export const withoutMarks = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[đĐłŁøØıß]/g, (letter) => plain[letter] ?? letter)

export const byPhrase: ReadonlyMap<string, Concept> = (() => {
  const found = new Map<string, Concept>()
  for (const { concept, phrases } of parsed)
    for (const phrase of phrases.map(withoutMarks)) if (!found.has(phrase)) found.set(phrase, concept)
  return found
})()

/** What anything may have: of a part it means the part, never the whole. */
export const generic: ReadonlySet<string> = new Set([
  "title",
  "url",
  "description",
  "image",
  "logo",
  "reference",
  "identifier",
  "body",
  "date",
  "language",
  "number",
  "category",
  "status",
  "published",
  "modified",
  "email",
  "phone"
])

/** What is about something else than the thing it stands in. */
export const foreign: ReadonlySet<string> = new Set([
  "review",
  "comment",
  "publisher",
  "answer",
  "question",
  "variant",
  "event"
])

/** Parts that a thing says of itself: a list of them may be read from the thing as one row. */
export const parts: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["offer", new Set(["price", "currency", "availability", "lowprice", "highprice", "condition", "seller", "deadline"])],
  [
    "contact",
    new Set(["email", "phone", "fax", "address", "street", "town", "region", "country", "postcode", "url", "person"])
  ],
  ["address", new Set(["street", "town", "region", "country", "postcode"])],
  ["location", new Set(["street", "town", "region", "country", "postcode", "latitude", "longitude", "address"])],
  ["rating", new Set(["rating", "count", "bestrating", "review"])],
  ["salary", new Set(["salary", "currency", "price", "lowsalary", "highsalary"])],
  ["price", new Set(["price", "currency"])],
  ["dimension", new Set(["height", "width", "depth", "weight"])]
])

/** What a page or a row may be about, so that what it is called names it. */
export const entities: ReadonlySet<string> = new Set(["job", "product", "event", "act", "article"])

/** Whose name or address it is, where a name says so: the name of an author is not the name of the page. */
export const owners: ReadonlySet<string> = new Set([
  "author",
  "person",
  "publisher",
  "seller",
  "brand",
  "organization",
  "customer",
  "payee",
  "location",
  "venue",
  "comment",
  "review",
  "image"
])

/** The hours of one day are not those of another. */
export const weekdays: ReadonlySet<string> = new Set([
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday"
])
